//! A row of things by number whose copies share what they do not change.
//!
//! The walk copies all that it knows wherever ways part, and joins the copies where they meet. Here a copy costs nothing, a
//! change copies one path of the tree below, and a join looks only at what is not shared.

use std::rc::Rc;

/// How many things or branches a node has, as a power of two.
const BITS: u32 = 4;
const FAN: usize = 1 << BITS;

#[derive(Clone, Debug)]
enum Node<T> {
    Leaf([Option<T>; FAN]),
    Branch([Option<Rc<Node<T>>>; FAN]),
}

/// Things by number.
#[derive(Clone, Debug)]
pub(super) struct Row<T> {
    root: Option<Rc<Node<T>>>,
    /// The levels above the leaves.
    height: u32,
}

impl<T> Default for Row<T> {
    fn default() -> Self {
        Self { root: None, height: 0 }
    }
}

/// Which branch of a node of that height leads to an index.
fn branch(index: u32, height: u32) -> usize {
    (index >> (BITS * height)) as usize & (FAN - 1)
}

impl<T: Clone> Row<T> {
    pub(super) fn get(&self, index: u32) -> Option<&T> {
        if index.checked_shr(BITS * (self.height + 1)).unwrap_or(0) != 0 {
            return None;
        }
        let (mut node, mut height) = (self.root.as_deref()?, self.height);
        loop {
            match node {
                Node::Leaf(things) => return things.get(branch(index, 0))?.as_ref(),
                Node::Branch(nodes) => node = nodes.get(branch(index, height))?.as_deref()?,
            }
            height = height.checked_sub(1)?;
        }
    }

    /// The place of a thing, for itself.
    pub(super) fn place(&mut self, index: u32) -> Option<&mut Option<T>> {
        while index.checked_shr(BITS * (self.height + 1)).unwrap_or(0) != 0 {
            self.raise();
        }
        let mut height = self.height;
        let mut node = Rc::make_mut(self.root.get_or_insert_with(|| Rc::new(empty(height))));
        loop {
            match node {
                Node::Leaf(things) => return things.get_mut(branch(index, 0)),
                Node::Branch(nodes) => {
                    let inner = nodes.get_mut(branch(index, height))?;
                    height = height.checked_sub(1)?;
                    node = Rc::make_mut(inner.get_or_insert_with(|| Rc::new(empty(height))));
                }
            }
        }
    }

    /// One more level above all.
    fn raise(&mut self) {
        self.height += 1;
        if let Some(root) = self.root.take() {
            let mut nodes = std::array::from_fn(|_| None);
            if let Some(first) = nodes.first_mut() {
                *first = Some(root);
            }
            self.root = Some(Rc::new(Node::Branch(nodes)));
        }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(own), Some(other)) => Rc::ptr_eq(own, other),
            (None, None) => true,
            _ => false,
        }
    }

    /// Adds what another row has: what `merge` makes of two things that are not one, where that is new, and things that are here not
    /// at all, if these are wanted. Counts the nodes that it looks into.
    pub(super) fn join(&mut self, other: &Self, adds: bool, work: &mut u64, merge: Merge<'_, T>) {
        let Some(root) = &other.root else { return };
        while self.height < other.height {
            self.raise();
        }
        let mut other = Self { root: Some(Rc::clone(root)), height: other.height };
        while other.height < self.height {
            other.raise();
        }
        if let Some(joined) = joined(self.root.as_ref(), other.root.as_ref(), adds, work, merge) {
            self.root = Some(joined);
        }
    }
}

/// What two things are together, where that is more than the first one.
type Merge<'m, T> = &'m mut dyn FnMut(&T, &T) -> Option<T>;

fn empty<T>(height: u32) -> Node<T> {
    if height == 0 { Node::Leaf(std::array::from_fn(|_| None)) } else { Node::Branch(std::array::from_fn(|_| None)) }
}

/// The node with what the other one adds; nothing where that is nothing.
fn joined<T: Clone>(
    own: Option<&Rc<Node<T>>>,
    other: Option<&Rc<Node<T>>>,
    adds: bool,
    work: &mut u64,
    merge: Merge<'_, T>,
) -> Option<Rc<Node<T>>> {
    let other = other?;
    let Some(own) = own else { return adds.then(|| Rc::clone(other)) };
    if Rc::ptr_eq(own, other) {
        return None;
    }
    *work += 1;
    let mut new: Option<Rc<Node<T>>> = None;
    match (own.as_ref(), other.as_ref()) {
        (Node::Leaf(things), Node::Leaf(others)) => {
            for (index, (thing, other)) in things.iter().zip(others).enumerate() {
                let more = match (thing, other) {
                    (Some(thing), Some(other)) => merge(thing, other),
                    (None, Some(other)) if adds => Some(other.clone()),
                    _ => None,
                };
                if more.is_some()
                    && let Node::Leaf(things) = Rc::make_mut(new.get_or_insert_with(|| Rc::clone(own)))
                    && let Some(place) = things.get_mut(index)
                {
                    *place = more;
                }
            }
        }
        (Node::Branch(nodes), Node::Branch(others)) => {
            for (index, (node, other)) in nodes.iter().zip(others).enumerate() {
                let more = joined(node.as_ref(), other.as_ref(), adds, work, merge);
                if more.is_some()
                    && let Node::Branch(nodes) = Rc::make_mut(new.get_or_insert_with(|| Rc::clone(own)))
                    && let Some(place) = nodes.get_mut(index)
                {
                    *place = more;
                }
            }
        }
        _ => {}
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(things: impl IntoIterator<Item = (u32, u32)>) -> Row<u32> {
        let mut row = Row::default();
        for (index, thing) in things {
            *row.place(index).expect("a place") = Some(thing);
        }
        row
    }

    #[test]
    fn what_is_put_is_got() {
        let all = row((0..5_000).map(|n| (n * 3, n)));
        assert!((0..5_000).all(|n| all.get(n * 3) == Some(&n) && all.get(n * 3 + 1).is_none()));
        assert_eq!(all.get(u32::MAX), None);
        assert_eq!(row([(u32::MAX, 7)]).get(u32::MAX), Some(&7));
    }

    #[test]
    fn a_copy_keeps_what_it_had() {
        let old = row((0..100).map(|n| (n, n)));
        let mut new = old.clone();
        assert!(new.is_same(&old));
        *new.place(50).expect("a place") = Some(1);
        assert_eq!((old.get(50), new.get(50), new.get(51)), (Some(&50), Some(&1), Some(&51)));
    }

    #[test]
    fn a_join_looks_only_at_what_differs() {
        let base = row((0..100_000).map(|n| (n, n)));
        let (mut one, mut other) = (base.clone(), base.clone());
        *one.place(7).expect("a place") = Some(0);
        *other.place(99_999).expect("a place") = Some(1_000_000);
        let mut work = 0;
        let mut larger = |own: &u32, other: &u32| (other > own).then_some(*other);
        one.join(&other, true, &mut work, &mut larger);
        assert_eq!((one.get(7), one.get(99_999)), (Some(&7), Some(&1_000_000)));
        assert!(work < 20, "{work} nodes");
        let before = one.clone();
        one.join(&base, true, &mut work, &mut larger);
        assert!(one.is_same(&before));
    }

    #[test]
    fn rows_of_different_heights_join() {
        let keep = &mut |_: &u32, _: &u32| None;
        let (small, large) = (row([(1, 1)]), row([(70_000, 2)]));
        for (mut one, other) in [(small.clone(), large.clone()), (large, small)] {
            let mut own = one.clone();
            own.join(&other, false, &mut 0, keep);
            assert_eq!((own.get(1), own.get(70_000)), (one.get(1), one.get(70_000)));
            one.join(&other, true, &mut 0, keep);
            assert_eq!((one.get(1), one.get(70_000), one.get(2)), (Some(&1), Some(&2), None));
        }
    }
}
