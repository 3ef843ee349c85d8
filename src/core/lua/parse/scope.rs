//! Which variable a name means.

use std::collections::HashMap;

use crate::core::lua::ir::{Local, Slot, Upvalue};

/// What a name means.
pub(super) enum Variable {
    Local(Slot),
    Outer(u32),
    Global,
}

/// The table of further arguments, a local of each function that takes `...` and does not use it.
pub(super) const ARG: &str = "arg";

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
    /// How many locals are there at once.
    active: usize,
    /// How many loops are open.
    loops: usize,
    vararg: bool,
    /// It uses `...`.
    uses_vararg: bool,
    /// It uses the table of its further arguments.
    uses_arg: bool,
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
        let names = function.blocks.pop().unwrap_or_default();
        function.active -= names.len().min(function.active);
        for name in names {
            if let Some(slots) = function.names.get_mut(&name) {
                slots.pop();
            }
        }
    }

    pub(super) fn enter_loop(&mut self) {
        self.enter_block();
        if let Some(function) = self.functions.last_mut() {
            function.loops += 1;
        }
    }

    pub(super) fn leave_loop(&mut self) {
        self.leave_block();
        if let Some(function) = self.functions.last_mut() {
            function.loops -= function.loops.min(1);
        }
    }

    /// Says whether a loop of the innermost function is open.
    pub(super) fn in_loop(&self) -> bool {
        self.functions.last().is_some_and(|function| function.loops > 0)
    }

    /// How many locals of the innermost function are there at once.
    pub(super) fn active(&self) -> usize {
        self.functions.last().map_or(0, |function| function.active)
    }

    /// How many variables the innermost function has from outside.
    pub(super) fn upvalues(&self) -> usize {
        self.functions.iter().map(|function| function.upvalues.len()).max().unwrap_or(0)
    }

    /// Locals of a loop that no name means.
    pub(super) fn hold(&mut self, count: usize) {
        let Some(function) = self.functions.last_mut() else { return };
        function.active += count;
        if let Some(block) = function.blocks.last_mut() {
            block.extend(std::iter::repeat_n(String::new(), count));
        }
    }

    pub(super) fn use_vararg(&mut self) {
        if let Some(function) = self.functions.last_mut() {
            function.uses_vararg = true;
        }
    }

    /// Says whether the innermost function uses the table of its further arguments, and whether there is one.
    pub(super) fn uses_arg(&self) -> (bool, bool) {
        self.functions.last().map_or((false, false), |function| (function.uses_arg, !function.uses_vararg))
    }

    /// A new local of the innermost block.
    pub(super) fn declare(&mut self, name: &str) -> Slot {
        let Some(function) = self.functions.last_mut() else { return 0 };
        let slot = u32::try_from(function.locals.len()).unwrap_or(u32::MAX);
        function.locals.push(Local { captured: false });
        function.active += 1;
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
        if let (true, Some((owner, _))) = (name == ARG, found)
            && let Some(function) = self.functions.get_mut(owner)
        {
            function.uses_arg = true;
        }
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
