//! Texts of libraries, made up at random, which take each other's names and functions.

use super::chance::Chance;

/// The functions that they have.
pub(crate) const FUNCTIONS: [&str; 5] = ["f", "g", "h", "f1", "K"];

const NAMES: [&str; 5] = ["l", "m", "n", "o", "p"];

/// Makes texts; each says its own number, as do its functions.
#[derive(Default)]
pub(crate) struct Texts {
    made: Vec<String>,
    /// None takes another's function, and none fails.
    are_tame: bool,
    /// Some register functions that nobody sees who reads them.
    hide: bool,
}

impl Texts {
    /// Texts of which none takes another's function, and none fails, or that do both.
    pub(crate) fn new(are_tame: bool) -> Self {
        Self { are_tame, hide: !are_tame, ..Self::default() }
    }

    /// One more, or one that was there.
    pub(crate) fn make(&mut self, chance: &mut Chance) -> String {
        if !self.made.is_empty() && chance.of(30) {
            return self.made[usize::try_from(chance.below(self.made.len() as u64)).expect("a few")].clone();
        }
        let answer = format!("function() return 'text {}' end", self.made.len());
        let name = name(chance);
        let mut text = format!("#!lua name={name}\n");
        let mut functions = FUNCTIONS.to_vec();
        for at in 0..=chance.below(2) {
            // Most often its own, which is no other's.
            let own =
                NAMES.iter().position(|other| *other == name).filter(|_| at == 0 && (self.are_tame || chance.of(85)));
            let any = chance.below(functions.len() as u64);
            let function = functions.swap_remove(own.unwrap_or(usize::try_from(any).expect("a few")));
            if at > 0 && (self.are_tame || chance.of(80)) {
                continue;
            }
            let small = function.to_lowercase();
            let register = match chance.below(40) {
                0 => format!("local names = {{'{function}'}} redis.register_function(names[1], {answer})\n"),
                1 if function == "f1" => format!("redis.register_function('f' .. 1, {answer})\n"),
                10..14 if self.hide => {
                    let hidden = chance.pick(&FUNCTIONS);
                    format!(
                        "redis.register_function('{small}', {answer})\nredis['register_' .. 'function']('{hidden}', {answer})\n"
                    )
                }
                2 => format!("-- redis.register_function('g', x)\nredis.register_function('{function}', {answer})\n"),
                3 => format!("local x = 'h' redis.register_function('{function}', {answer})\n"),
                4..8 => format!("server.register_function{{ function_name = '{function}', callback = {answer} }}\n"),
                8..10 => format!("redis.register_function('{small}', {answer})\n"),
                _ => format!("redis.register_function('{function}', {answer})\n"),
            };
            text.push_str(&register);
        }
        self.made.push(text.clone());
        text
    }

    /// One that fails as it is loaded.
    pub(crate) fn broken(&mut self, chance: &mut Chance) -> String {
        self.make(chance) + if self.are_tame { "" } else { "error('x')\n" }
    }

    /// One that fails as it is loaded, and another by its name.
    pub(crate) fn broken_and_sound(&mut self, chance: &mut Chance) -> (String, String) {
        let sound = self.make(chance);
        let broken = sound.replace("'text ", "'broken ") + if self.are_tame { "" } else { "error('x')\n" };
        (broken, sound)
    }
}

/// The name of a library.
pub(crate) fn name(chance: &mut Chance) -> &'static str {
    chance.pick(&NAMES)
}
