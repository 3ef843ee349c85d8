//! Patterns of paths (`*`, `?`, `[…]`, `{a,b}`, `**`), and paths as they are compared.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

/// A pattern.
pub(super) struct Pattern {
    base: PathBuf,
    matcher: GlobMatcher,
}

/// The characters that make a path a pattern.
const MAGIC: [char; 4] = ['*', '?', '[', '{'];

/// Whether a path is a pattern.
pub(super) fn is_one(path: &str) -> bool {
    path.contains(MAGIC)
}

impl Pattern {
    /// A pattern, read from the working directory.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        Self::within(Path::new(""), text)
    }

    /// A pattern, read from a folder.
    pub(super) fn within(folder: &Path, text: &str) -> Result<Self, String> {
        let plain: PathBuf = Path::new(text).components().take_while(|part| !is_magic(*part)).collect();
        let base = clean(&folder.join(&plain));
        let rest: PathBuf = Path::new(text).components().skip_while(|part| !is_magic(*part)).collect();
        let rest = rest.to_str().unwrap_or_default();
        let start = base.to_str().ok_or("the folder of the pattern has a name that is not text")?;
        let whole = match start {
            "." => rest.to_owned(),
            "/" => format!("/{rest}"),
            _ => format!("{}/{rest}", globset::escape(start)),
        };
        let glob =
            GlobBuilder::new(&whole).literal_separator(true).build().map_err(|error| error.kind().to_string())?;
        Ok(Self { base, matcher: glob.compile_matcher() })
    }

    /// The folder below which everything is that it matches.
    pub(super) fn base(&self) -> &Path {
        &self.base
    }

    /// Whether it matches a path.
    pub(super) fn matches(&self, path: &Path) -> bool {
        self.matcher.is_match(clean(path))
    }
}

fn is_magic(part: Component<'_>) -> bool {
    part.as_os_str().to_str().is_some_and(is_one)
}

/// A path without needless `.` and `..`, as it is written: links are not looked at.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        let can_go_up = matches!(out.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            Component::ParentDir if can_go_up => {
                out.pop();
            }
            Component::ParentDir if out.has_root() => {}
            _ => out.push(part),
        }
    }
    if out.as_os_str().is_empty() { PathBuf::from(".") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_without_detours() {
        for (path, short) in [
            ("./a", "a"),
            ("a/./b/../c", "a/c"),
            ("../a", "../a"),
            ("a/../../b", "../b"),
            ("/../a", "/a"),
            ("a/..", "."),
        ] {
            assert_eq!(clean(Path::new(path)), Path::new(short), "{path}");
        }
    }

    #[test]
    fn patterns_match_within_folders() {
        let matches = |pattern: &str, path: &str| Pattern::new(pattern).expect(pattern).matches(Path::new(path));
        assert!(matches("*.lua", "a.lua") && matches("./*.lua", "./a.lua") && !matches("*.lua", "b/a.lua"));
        assert!(matches("b/**/*.lua", "b/a.lua") && matches("b/**/*.lua", "b/c/d/a.lua"));
        assert!(matches("{a,b}/?.lua", "b/x.lua") && !matches("{a,b}/?.lua", "c/x.lua"));
        assert!(matches("../x/*.lua", "../x/a.lua") && matches("/x/*.lua", "/x/a.lua"));
        let within = Pattern::within(Path::new("a[1]"), "includes/*.lua").expect("a pattern");
        assert!(within.matches(Path::new("a[1]/includes/x.lua")) && within.base() == Path::new("a[1]/includes"));
        assert!(Pattern::new("[").is_err());
    }
}
