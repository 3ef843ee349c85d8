//! Which variable a name means.

use crate::core::lua::ir::{Local, Slot, TextId, Upvalue};
use crate::core::lua::ordered::Ordered;
use crate::core::lua::text::Texts;

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
    /// The names of locals, and what each means: the function and its local, the innermost last.
    names: Texts,
    meanings: Vec<Vec<(usize, Slot)>>,
}

#[derive(Default)]
struct Function {
    locals: Vec<Local>,
    upvalues: Vec<Upvalue>,
    /// The variables of outer functions that this one already has, by the function and its local.
    known: Ordered<(usize, Slot), u32>,
    /// The names of each open block, so that leaving it takes them back; none of what no name means.
    blocks: Vec<Vec<Option<TextId>>>,
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
        function.blocks.into_iter().flatten().for_each(|name| self.forget(name));
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
            self.forget(name);
        }
    }

    /// Takes back what a name means.
    fn forget(&mut self, name: Option<TextId>) {
        if let Some(meanings) = name.and_then(|name| self.meanings.get_mut(name.0 as usize)) {
            meanings.pop();
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
            block.extend(std::iter::repeat_n(None, count));
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
        let here = self.functions.len().saturating_sub(1);
        let Some(function) = self.functions.last_mut() else { return 0 };
        let slot = u32::try_from(function.locals.len()).unwrap_or(u32::MAX);
        function.locals.push(Local { captured: false });
        function.active += 1;
        let name = self.names.id(name.as_bytes());
        if self.meanings.len() <= name.0 as usize {
            self.meanings.resize(name.0 as usize + 1, Vec::new());
        }
        if let (Some(meanings), Some(block)) = (self.meanings.get_mut(name.0 as usize), function.blocks.last_mut()) {
            meanings.push((here, slot));
            block.push(Some(name));
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
        let number = self.names.id(name.as_bytes());
        let found = self.meanings.get(number.0 as usize).and_then(|meanings| meanings.last()).copied();
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
            let index = function.known.entry((owner, slot), || next).map_or(next, |index| *index);
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
