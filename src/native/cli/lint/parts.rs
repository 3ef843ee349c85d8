//! Files that are parts of scripts: what a script found in a folder includes is no script of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::find::Script;
use super::is_standard;
use super::library::Library;
use crate::core::lua::{File, Includes, references};

/// The scripts without those that others include. One that somebody named stays; so do those that only include each other,
/// or nobody would hear of that.
pub(super) fn without_parts(scripts: Vec<Script>, standard: Option<&File>, library: &Library) -> Vec<Script> {
    if scripts.iter().all(|script| script.is_named) {
        return scripts;
    }
    let mut graph = Graph { library, edges: BTreeMap::new() };
    let numbers: Vec<Option<usize>> = scripts
        .iter()
        .map(|script| {
            let file = match standard.filter(|_| is_standard(&script.path)) {
                Some(standard) => standard.clone(),
                // It is read again, and that it cannot be read is told then.
                None => library.script(&script.path).ok()?,
            };
            graph.add(&file);
            Some(file.id)
        })
        .collect();
    let included = graph.targets();
    let is_start = |(script, number): (&Script, &Option<usize>)| {
        script.is_named || number.is_none_or(|number| !included.contains(&number))
    };
    let starts = scripts.iter().zip(&numbers).filter(|pair| is_start((pair.0, pair.1)));
    let starts: Vec<usize> = starts.filter_map(|(_, number)| *number).collect();
    let reached = graph.reached(starts);
    let keep: Vec<bool> = scripts
        .iter()
        .zip(&numbers)
        .map(|(script, number)| is_start((script, number)) || number.is_none_or(|number| !reached.contains(&number)))
        .collect();
    scripts.into_iter().zip(keep).filter_map(|(script, keep)| keep.then_some(script)).collect()
}

/// Which file includes which.
struct Graph<'l> {
    library: &'l Library,
    edges: BTreeMap<usize, Vec<usize>>,
}

impl Graph<'_> {
    fn add(&mut self, file: &File) {
        let references = references(&file.text);
        let found = references.iter().filter_map(|reference| self.library.find(file.id, reference).ok()).flatten();
        let ids = found.map(|file| file.id).filter(|id| *id != file.id).collect();
        self.edges.insert(file.id, ids);
    }

    /// Everything that one of them includes.
    fn targets(&self) -> BTreeSet<usize> {
        self.edges.values().flatten().copied().collect()
    }

    /// Everything that some of them include, also through others; and these themselves.
    fn reached(&mut self, mut open: Vec<usize>) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !reached.insert(id) {
                continue;
            }
            if !self.edges.contains_key(&id)
                && let Ok(file) = self.library.included(id)
            {
                self.add(&file);
            }
            open.extend(self.edges.get(&id).into_iter().flatten());
        }
        reached
    }
}
