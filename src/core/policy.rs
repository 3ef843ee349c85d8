//! Declared-key policies: when an operand key of a script call counts as declared.
//!
//! Valkey's documentation says that every key a script accesses must arrive as an input key; the course page takes that
//! word for word (`strict`). The public EchoMQ line later allowed itself two wider readings; every report says which one
//! was in force.

/// Which of the three readings a report uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Policy {
    /// The key is an element of KEYS.
    #[default]
    Strict,
    /// Or it starts with an element of KEYS.
    Rooted,
    /// Or it starts with an ARGV value that carries the same complete `{q}` tag as an element of KEYS.
    SlotRooted,
}

/// How a key that a script touched relates to what its call declared, the best reading first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Declaration {
    /// An element of KEYS.
    Element,
    /// An element of KEYS and more bytes after it.
    Rooted,
    /// An ARGV value with the tag of a declared key, and more bytes after it.
    SlotRooted,
    /// None of these.
    Undeclared,
}

impl Policy {
    /// Every policy, the default first.
    pub const ALL: [Self; 3] = [Self::Strict, Self::Rooted, Self::SlotRooted];

    /// The name a user types.
    pub fn id(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Rooted => "rooted",
            Self::SlotRooted => "slot-rooted",
        }
    }

    /// What it takes, in words that follow "a key is declared when".
    pub fn rule(self) -> &'static str {
        match self {
            Self::Strict => "it is an element of KEYS",
            Self::Rooted => "it is an element of KEYS, or starts with one",
            Self::SlotRooted => {
                "it is an element of KEYS, starts with one, or starts with an ARGV value that carries the tag of one"
            }
        }
    }

    /// Whether this reading accepts such a key.
    pub fn accepts(self, declaration: Declaration) -> bool {
        match declaration {
            Declaration::Element => true,
            Declaration::Rooted => self >= Self::Rooted,
            Declaration::SlotRooted => self >= Self::SlotRooted,
            Declaration::Undeclared => false,
        }
    }
}
