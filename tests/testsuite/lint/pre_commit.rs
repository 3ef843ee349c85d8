//! The hooks for pre-commit, run by pre-commit itself, which is installed into a cache outside the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::common::command::Run;
use crate::common::folder::Folder;

const VERSION: &str = "4.7.0";
const HOOKS: &str = ".pre-commit-hooks.yaml";

#[test]
fn the_definition_is_valid_and_both_hooks_say_the_same() {
    let run: Run = pre_commit(Path::new("."), &["validate-manifest", HOOKS]).into();
    assert_eq!(run.stdout + &run.stderr, "");
    let text = fs::read_to_string(HOOKS).expect("the hooks");
    let mut hooks = text.split("\n- ").skip(1).map(|hook| hook.split("\n\n").next().unwrap_or_default().trim_end());
    let (built, system) = (hooks.next().expect("a hook"), hooks.next().expect("another"));
    assert!(built.contains("language: rust"));
    let as_system = built
        .replace("id: emq-conform-lint", "id: emq-conform-lint-system")
        .replace("language: rust", "language: system");
    assert_eq!(as_system, system);
}

#[test]
fn a_commit_with_an_undeclared_key_is_stopped() {
    let (hooks, project) = (Folder::new(), Folder::new());
    hooks.write(HOOKS, fs::read_to_string(HOOKS).expect("the hooks"));
    repository(&hooks);
    git(&hooks, &["commit", "--quiet", "-m", "hooks"]);
    let rev = git(&hooks, &["rev-parse", "HEAD"]);
    let config = format!(
        "repos:\n- repo: {}\n  rev: {}\n  hooks:\n  - id: emq-conform-lint-system\n    args: [scripts, --policy, rooted]\n",
        hooks.text(""),
        rev.trim()
    );
    project.write(".pre-commit-config.yaml", config);
    project.write("scripts/includes/del.lua", "local function del(key) redis.call('DEL', key) end\n");
    project.write("scripts/a.lua", "--- @include \"includes/del\"\ndel(ARGV[1])\n");
    repository(&project);
    let stopped: Run = pre_commit(&project.path(""), &["run", "--color", "never"]).into();
    let stopped = stopped.expect(1).stdout;
    assert!(stopped.contains("emq-conform lint") && stopped.contains("exit code: 1"), "{stopped}");
    assert!(stopped.contains("undeclared-argv") && stopped.contains("scripts/includes/del.lua:1:43"), "{stopped}");
    // The included file is as it was; the script that includes it is mended.
    project.write("scripts/a.lua", "--- @include \"includes/del\"\ndel(KEYS[1] .. ':lock')\n");
    git(&project, &["add", "--all"]);
    Run::from(pre_commit(&project.path(""), &["run", "--color", "never"])).expect(0);
}

/// A repository with everything in it staged.
fn repository(folder: &Folder) {
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "--all"]);
}

fn git(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    let who = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
    command.args(who).args(arguments).current_dir(folder.path("")).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Runs pre-commit in a folder, with our binary first on PATH and a store of its own.
fn pre_commit(folder: &Path, arguments: &[&str]) -> std::process::Output {
    let store = Folder::new();
    let binary = Path::new(env!("CARGO_BIN_EXE_emq-conform")).parent().expect("a folder");
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([binary.to_owned()].into_iter().chain(env::split_paths(&others))).expect("a PATH");
    let mut command = Command::new("python3");
    command.args(["-m", "pre_commit"]).args(arguments).current_dir(folder);
    command.env("PYTHONPATH", installed()).env("PATH", path).env("PRE_COMMIT_HOME", store.path("store"));
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().expect("python runs")
}

/// The folder with pre-commit, made once per machine.
fn installed() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").expect("HOME is set")).join(".cache");
    let cache = env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from);
    let folder = cache.join(format!("echomq-conformance/pre-commit-{VERSION}"));
    if !folder.is_dir() {
        // Another test may do the same at the same time: the folder is whole when it has its name.
        let draft = folder.with_extension(format!("draft-{}", std::process::id()));
        let mut install = Command::new("python3");
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target"]).arg(&draft);
        let output = install.arg(format!("pre-commit=={VERSION}")).output().expect("pip runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        if fs::rename(&draft, &folder).is_err() {
            assert!(folder.is_dir(), "{} cannot be made", folder.display());
            fs::remove_dir_all(&draft).expect("the draft goes");
        }
    }
    folder
}
