//! First lines and numbers that few scripts have: what neither server takes is invalid, and what one of them takes is not.

use std::thread;
use std::time::Duration;

use crate::common::engines;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::lua::{Verdict, analyze};
use echomq_conformance::core::policy::Policy;
use echomq_conformance::native::server::{PrivateServer, Target};

const FIRST_LINES: &[&str] = &[
    "#!lua",
    "#!lua ",
    "#!lua\t",
    "#!lua\r",
    "#!lua\x0b",
    "#!lua\x0c",
    "#!\x0blua",
    "#! lua",
    "#!",
    "#",
    "#!LUA",
    "#!Lua",
    "#!'lua'",
    "#!\"lua\"",
    "#!lua \"flags=no-writes",
    "#!lua flags=",
    "#!lua flags=no-writes",
    "#!lua  flags=no-writes flags=allow-stale",
    "#!lua FLAGS=no-writes",
    "#!lua \0",
    "#!lua foo",
    "#!lua engine=x",
    "#!lua name=",
    "#!lua name=a",
    "#!lua name=_9Z",
    "#!lua name=a-b",
    "#!lua name=a.b",
    "#!lua name='a b'",
    "#!lua name=\"a\"",
    "#!lua name=a\x0b",
    "#!lua \x0bname=a",
    "#!'lua'\x0bname=a",
    "#!lua\x0b name=a",
    "#! lua name=a",
    "#!LUA name=a",
    "#!lua NAME=a",
    "#!lua name=é",
    "#!lua name=a name=b",
    "#!lua name=a flags=no-writes",
];

const NUMBERS: &[&str] = &[
    "0x1p4", "0x1P4", "0X1p4", "0xap3", "0x1fp2", "0x1p52", "0x1p60", "0x1p9999", "0x0p1", "0x1p", "0xp1", "0x",
    "0x1pf", "0x1p-4", "0x1p+4", "0x1.8", "0x.8", "0x1.8p1", "0x1.p1", "0x1p4x", "0x1p4p4", "0x1p4_", "0x1e+4",
    "0xe+1", "0x1.2.3", "1p4", "1e", "1e+4", "1e5f", "3x", "08", "1.", ".5e3", "1..2",
];

#[test]
fn what_no_server_compiles_is_invalid() {
    let lines =
        FIRST_LINES.iter().map(|line| format!("{line}\nredis.register_function('f', function() end)\nreturn 1\n"));
    let numbers = NUMBERS.iter().map(|number| format!("return {number}\n"));
    let sources: Vec<String> = lines.chain(numbers).collect();
    let mut taken = vec![false; sources.len()];
    for (_, program) in engines::engines() {
        let server = PrivateServer::start(&program).expect("a private server");
        let target = Target::private(&server, Duration::from_secs(20)).expect("its address");
        let mut client = target.connect().expect("a connection");
        for (source, taken) in sources.iter().zip(&mut taken) {
            let mut asked = |command: &mut redis::Cmd| command.arg(source).query::<String>(&mut client);
            *taken |= asked(redis::cmd("SCRIPT").arg("LOAD")).is_ok();
            // That a function returns, too, is no matter to it.
            *taken |= asked(redis::cmd("FUNCTION").arg("LOAD").arg("REPLACE")).is_ok();
            redis::cmd("FUNCTION").arg("FLUSH").query::<()>(&mut client).expect("no library");
        }
    }
    assert!(taken.iter().any(|taken| *taken) && taken.iter().any(|taken| !taken));
    let work = move || {
        for (source, taken) in sources.iter().zip(taken) {
            let report = analyze("script.lua", source.as_bytes(), Policy::Strict);
            assert_eq!(report.verdict == Verdict::Invalid, !taken, "{source:?}: {:?}", report.findings);
        }
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("all are judged alike");
}
