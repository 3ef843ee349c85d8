//! The mutants: each is the sound runtime with one step broken.

use super::sound::{STEPS, Step, Steps, claim_by, nothing, open};
use super::stage::{Done, JOB, Stage};

/// A runtime that is broken on purpose.
#[derive(Debug)]
pub struct Mutant {
    /// Its name.
    pub id: &'static str,
    /// What it does wrong.
    pub what: &'static str,
    /// What must fail, and nothing else may.
    pub fails: &'static [&'static str],
    /// What can then not be told, and nothing else may.
    pub open: &'static [&'static str],
    /// What it does.
    pub steps: Steps,
}

/// The runtime that breaks nothing, to show that the checks can pass.
pub static SOUND: Mutant = mutant("sound", "keeps every rule", &[], STEPS);

const DECLARED: &[&str] = &["declared"];
const VERSION: &[&str] = &["version"];
const ROUND_TRIP: &[&str] = &["roundtrip"];
/// What a key of the old keyspace breaks, where it does not have the queue's tag either.
const LEFT: &[&str] = &["keyspace", "hashtag", "legacy"];

/// All of them, by what should catch them.
pub static MUTANTS: &[Mutant] = &[
    works("undeclared-argv", "a script builds the job's key from an ARGV base", DECLARED, |stage| {
        undeclared(stage, "return redis.call('HGET', ARGV[1] .. '01', 'payload')")
    }),
    works("undeclared-literal", "a script names a key of the queue itself", DECLARED, |stage| {
        undeclared(stage, "return redis.call('LLEN', 'emq:{payments}:wait')")
    }),
    works("undeclared-reply", "a script goes where a reply sends it", DECLARED, |stage| {
        undeclared(
            stage,
            "return redis.call('HGET', 'emq:{payments}:' .. redis.call('LINDEX', KEYS[1], -1), 'payload')",
        )
    }),
    works("undeclared-keys-base", "a script adds to an element of KEYS", DECLARED, |stage| {
        undeclared(stage, "return redis.call('LLEN', KEYS[1] .. ':logs')")
    }),
    works("undeclared-pcall", "a script touches a key in pcall", DECLARED, |stage| {
        undeclared(stage, "return redis.pcall('LLEN', ARGV[1] .. 'wait')")
    }),
    works("undeclared-read-only", "a read-only script reads a key", DECLARED, |stage| {
        let active = stage.keys.active.clone();
        let script = "return redis.call('LLEN', 'emq:{payments}:wait')";
        stage.call("EVAL_RO", script, &[&active], &[]).map(drop)
    }),
    works("undeclared-function", "a function touches a key", DECLARED, in_a_function),
    works("undeclared-second-call", "a script touches a key only when it is called again", DECLARED, |stage| {
        let script = "if ARGV[2] == '2' then redis.call('HINCRBY', ARGV[1] .. '01', 'calls', 1) end
            return redis.call('LLEN', KEYS[1])";
        let (active, base) = (stage.keys.active.clone(), stage.keys.base());
        stage.script(script, &[&active], &[&base, "1"])?;
        stage.script(script, &[&active], &[&base, "2"]).map(drop)
    }),
    works("undeclared-sort-by", "a script sorts by keys that only a pattern names", DECLARED, |stage| {
        undeclared(stage, "return redis.call('SORT', KEYS[1], 'BY', 'emq:{payments}:*->priority')")
    }),
    works("sort-by-outside", "a client sorts by keys of nobody", &["keyspace", "hashtag"], |stage| {
        let active = stage.keys.active.clone();
        stage.run(&format!("SORT {active} BY weight_*")).map(drop)
    }),
    works("unbraced-write", "a client writes the key that the 1.x line wrote", LEFT, |stage| {
        stage.run("LPUSH emq:payments:wait 01").map(drop)
    }),
    works("bull-read", "a client reads BullMQ's key", LEFT, |stage| stage.run("HGET bull:payments:01 data").map(drop)),
    works("legacy-in-script", "a script reads a declared key of the old keyspace", LEFT, |stage| {
        stage.script("return redis.call('EXISTS', KEYS[1])", &["bull:payments:wait"], &[]).map(drop)
    }),
    works("second-tag", "a client looks into another queue", &["keyspace", "hashtag"], |stage| {
        stage.run("LLEN emq:{payments-eu}:wait").map(drop)
    }),
    works("empty-tag", "a client forgets the name in the braces", &["keyspace", "hashtag"], |stage| {
        stage.run("LLEN emq:{}:wait").map(drop)
    }),
    works("tag-first", "a client puts the tag before the prefix", &["keyspace"], |stage| {
        stage.run("INCR {payments}:emq:stats").map(drop)
    }),
    works("tag-last", "a client puts the tag at the end", &["keyspace", "legacy"], |stage| {
        stage.run("INCR emq:stats:{payments}").map(drop)
    }),
    works("cache", "a client keeps a cache on the queue's connection", &["keyspace", "hashtag"], |stage| {
        stage.run("SET cache:01 42").map(drop)
    }),
    mutant("version-wrong", "states another version", VERSION, Steps { open: states_another, ..STEPS }),
    mutant("version-missing", "states no version", VERSION, Steps { open: nothing, ..STEPS }),
    mutant(
        "version-late",
        "states the version when the job is done",
        VERSION,
        Steps { open: nothing, close: open, ..STEPS },
    ),
    mutant("version-removed", "removes the version again", VERSION, Steps { close: removes_the_version, ..STEPS }),
    mutant(
        "version-changed",
        "states another version for a moment",
        VERSION,
        Steps { close: changes_its_mind, ..STEPS },
    ),
    mutant("job-lost", "takes the job and puts it nowhere", ROUND_TRIP, Steps { claim: loses_the_job, ..STEPS }),
    mutant("job-twice", "completes the job twice", ROUND_TRIP, Steps { complete: completes_twice, ..STEPS }),
    mutant(
        "job-kept",
        "completes the job and leaves it active",
        ROUND_TRIP,
        Steps { complete: keeps_the_job, ..STEPS },
    ),
    mutant("lock-never", "takes the job without a lock", ROUND_TRIP, NEVER_LOCKS),
    Mutant { open: DECLARED, ..mutant("idle-scripts", "calls scripts that do nothing", ROUND_TRIP, IDLE) },
    Mutant {
        open: &["keyspace", "hashtag", "legacy", "declared"],
        ..mutant("nothing", "does nothing at all", &["version", "roundtrip"], NOTHING)
    },
];

const IDLE: Steps = Steps { add: idle_script, claim: idle_script, complete: idle_script, ..STEPS };

const NEVER_LOCKS: Steps = Steps { claim: never_locks, complete: completes_blindly, ..STEPS };

const NOTHING: Steps =
    Steps { open: nothing, add: nothing, claim: nothing, work: nothing, complete: nothing, close: nothing };

const fn mutant(id: &'static str, what: &'static str, fails: &'static [&'static str], steps: Steps) -> Mutant {
    Mutant { id, what, fails, open: &[], steps }
}

/// A mutant that does one thing too much while it has the job.
const fn works(id: &'static str, what: &'static str, fails: &'static [&'static str], work: Step) -> Mutant {
    mutant(id, what, fails, Steps { work, ..STEPS })
}

/// Calls a script that declares `active` and is given the queue's base.
fn undeclared(stage: &mut Stage, script: &str) -> Done {
    let (active, base) = (stage.keys.active.clone(), stage.keys.base());
    stage.script(script, &[&active], &[&base]).map(drop)
}

fn in_a_function(stage: &mut Stage) -> Done {
    let library = "#!lua name=emq\nredis.register_function('emq_peek', function(keys, args)
        return redis.call('LLEN', args[1] .. 'wait') end)";
    let (active, base) = (stage.keys.active.clone(), stage.keys.base());
    stage.load(library)?;
    stage.call("FCALL", "emq_peek", &[&active], &[&base]).map(drop)
}

fn states_another(stage: &mut Stage) -> Done {
    let meta = stage.keys.meta.clone();
    stage.run(&format!("HSET {meta} version bullmq:5.65.1")).map(drop)
}

fn removes_the_version(stage: &mut Stage) -> Done {
    let meta = stage.keys.meta.clone();
    stage.run(&format!("HDEL {meta} version")).map(drop)
}

fn changes_its_mind(stage: &mut Stage) -> Done {
    states_another(stage)?;
    open(stage)
}

fn loses_the_job(stage: &mut Stage) -> Done {
    claim_by(stage, "redis.call('RPOP', KEYS[1]) return redis.call('SET', KEYS[4], ARGV[2], 'PX', ARGV[3])")
}

fn never_locks(stage: &mut Stage) -> Done {
    claim_by(stage, "return redis.call('LMOVE', KEYS[1], KEYS[2], 'RIGHT', 'LEFT')")
}

/// Ends the job without a look at its lock.
fn completes_blindly(stage: &mut Stage) -> Done {
    stage.complete_by(
        "redis.call('LREM', KEYS[1], -1, ARGV[1]) redis.call('ZADD', KEYS[2], 1, ARGV[1])
        redis.call('HSET', KEYS[3], 'result', ARGV[3]) redis.call('DEL', KEYS[4]) return 'completed'",
    )
}

/// Two workers that both believe they have the job.
fn completes_twice(stage: &mut Stage) -> Done {
    completes_blindly(stage)?;
    completes_blindly(stage)
}

fn keeps_the_job(stage: &mut Stage) -> Done {
    stage.complete_by("redis.call('ZADD', KEYS[2], 1, ARGV[1]) redis.call('DEL', KEYS[4]) return 'completed'")
}

fn idle_script(stage: &mut Stage) -> Done {
    let (wait, job) = (stage.keys.wait.clone(), stage.job.clone());
    stage.script("return 1", &[&wait, &job], &[JOB]).map(drop)
}
