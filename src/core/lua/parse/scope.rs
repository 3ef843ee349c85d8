//! Which variable a name means.

use std::collections::HashMap;

use crate::core::lua::ir::{Local, Slot, Upvalue};

/// What a name means.
pub(super) enum Variable {
    Local(Slot),
    Outer(u32),
    Global,
}

/// The functions that are open, the innermost last.
#[derive(Default)]
pub(super) struct Scopes {
    functions: Vec<Function>,
}

#[derive(Default)]
struct Function {
    locals: Vec<Local>,
    upvalues: Vec<Upvalue>,
    /// The variables of outer functions that this one already has, by the function and its local.
    known: HashMap<(usize, Slot), u32>,
    /// The locals that each name means, the innermost last.
    names: HashMap<String, Vec<Slot>>,
    /// The names of each open block, so that leaving it takes them back.
    blocks: Vec<Vec<String>>,
    vararg: bool,
}

impl Scopes {
    pub(super) fn enter_function(&mut self, vararg: bool) {
        self.functions.push(Function { vararg, blocks: vec![Vec::new()], ..Function::default() });
    }

    pub(super) fn leave_function(&mut self) -> (Vec<Local>, Vec<Upvalue>, bool) {
        let function = self.functions.pop().unwrap_or_default();
        (function.locals, function.upvalues, function.vararg)
    }

    pub(super) fn enter_block(&mut self) {
        if let Some(function) = self.functions.last_mut() {
            function.blocks.push(Vec::new());
        }
    }

    pub(super) fn leave_block(&mut self) {
        let Some(function) = self.functions.last_mut() else { return };
        for name in function.blocks.pop().unwrap_or_default() {
            if let Some(slots) = function.names.get_mut(&name) {
                slots.pop();
            }
        }
    }

    /// A new local of the innermost block.
    pub(super) fn declare(&mut self, name: &str) -> Slot {
        let Some(function) = self.functions.last_mut() else { return 0 };
        let slot = u32::try_from(function.locals.len()).unwrap_or(u32::MAX);
        function.locals.push(Local { captured: false });
        function.names.entry(name.to_owned()).or_default().push(slot);
        if let Some(block) = function.blocks.last_mut() {
            block.push(name.to_owned());
        }
        slot
    }

    /// Says whether the innermost function takes `...`.
    pub(super) fn has_vararg(&self) -> bool {
        self.functions.last().is_some_and(|function| function.vararg)
    }

    /// What a name means in the innermost function.
    pub(super) fn find(&mut self, name: &str) -> Variable {
        let here = self.functions.len().saturating_sub(1);
        let found = self
            .functions
            .iter()
            .enumerate()
            .rev()
            .find_map(|(index, function)| Some((index, *function.names.get(name)?.last()?)));
        match found {
            None => Variable::Global,
            Some((owner, slot)) if owner == here => Variable::Local(slot),
            Some((owner, slot)) => Variable::Outer(self.bring(owner, slot)),
        }
    }

    /// Brings a local of an outer function into the innermost one, through each one between.
    fn bring(&mut self, owner: usize, slot: Slot) -> u32 {
        if let Some(local) = self.functions.get_mut(owner).and_then(|function| function.locals.get_mut(slot as usize)) {
            local.captured = true;
        }
        let mut from = Upvalue::Local(slot);
        for function in self.functions.iter_mut().skip(owner + 1) {
            let next = u32::try_from(function.upvalues.len()).unwrap_or(u32::MAX);
            let index = *function.known.entry((owner, slot)).or_insert(next);
            if index == next {
                function.upvalues.push(from);
            }
            from = Upvalue::Outer(index);
        }
        match from {
            Upvalue::Outer(index) | Upvalue::Local(index) => index,
        }
    }
}
