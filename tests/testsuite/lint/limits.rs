//! The limits of the analysis, each at the limit and one past it, held against a real server.

use std::thread;
use std::time::Duration;

use crate::common::engines;
use echomq_conformance::core::lua::limits::{MAX_SOURCE, STACK, TOO_DEEP};
use echomq_conformance::core::lua::report::{FileReport, Place};
use echomq_conformance::core::lua::{Verdict, analyze, analyze_each_call, known_functions};
use echomq_conformance::core::policy::Policy;
use echomq_conformance::native::server::{PrivateServer, Target};

/// Ways to nest, each with the part that opens, the middle and the part that closes.
const WAYS: &[(&str, &str, &str, &str)] = &[
    ("functions", "local x = function() ", "", " end"),
    ("function arguments", "f(function() ", "", " end)"),
    ("if blocks", "if a then ", "", " end"),
    ("else blocks", "if a then else ", "", " end"),
    ("do blocks", "do ", "", " end"),
    ("while loops", "while a do ", "", " end"),
    ("repeat loops", "repeat ", "", " until a"),
    ("for loops", "for i = 1, a do ", "", " end"),
    ("tables", "{", "", "}"),
    ("tables in fields", "{ a = ", "1", "}"),
    ("tables in keyed fields", "{ [1] = ", "1", "}"),
    ("parentheses", "(", "1", ")"),
    ("calls", "f(", "", ")"),
    ("calls with more arguments", "f(1, ", "2", ", 3)"),
    ("indices", "a[", "1", "]"),
    ("concatenations", "a .. ", "a", ""),
    ("powers", "2 ^ ", "2", ""),
    ("negations", "not ", "a", ""),
    ("minuses", "- ", "1", ""),
    ("mixed operators", "1 + 2 * (", "3", ")"),
    ("sums", "1 + ", "1", ""),
    ("conjunctions", "a and ", "a", ""),
];

#[test]
fn nesting_is_refused_where_the_engine_refuses_it() {
    let server = PrivateServer::start(&engines::valkey_8()).expect("a private server");
    let target = Target::private(&server, Duration::from_secs(20)).expect("its address");
    let mut client = target.connect().expect("a connection");
    let (mut refusals, mut others) = (0, 0);
    for (name, open, middle, close) in WAYS {
        let expression = !matches!(open.split(' ').next(), Some("local" | "if" | "do" | "while" | "repeat" | "for"))
            && !open.starts_with("f(function");
        for depth in [1, 66, 67, 99, 100, 101, 198, 199, 200] {
            let head = if expression { "return " } else { "" };
            let script = format!("{head}{}{middle}{}", open.repeat(depth), close.repeat(depth));
            let loaded: redis::RedisResult<String> = redis::cmd("SCRIPT").arg("LOAD").arg(&script).query(&mut client);
            let refused = loaded.as_ref().is_err_and(|error| error.to_string().contains(TOO_DEEP));
            // Another limit of the engine's came first, on variables or registers: that one is not modelled.
            if !refused && loaded.is_err() {
                others += 1;
                continue;
            }
            refusals += u32::from(refused);
            let report = lint(script.clone().into_bytes());
            let ours = report.findings.iter().any(|finding| finding.rule == "too-deep");
            assert_eq!(ours, refused, "{depth} {name}: the engine says {loaded:?}");
            assert_eq!(report.verdict == Verdict::Invalid, refused, "{depth} {name}: {:?}", report.findings);
        }
    }
    assert!(refusals > 30 && others < 25, "{refusals} refused, {others} for another reason");
}

#[test]
fn size_is_limited() {
    let script = |size: usize| {
        let mut script = b"redis.call('GET', KEYS[1]) --".to_vec();
        script.resize(size, b'x');
        script
    };
    assert_eq!(lint(script(MAX_SOURCE)).verdict, Verdict::Declared);
    let report = lint(script(MAX_SOURCE + 1));
    assert_eq!(report.verdict, Verdict::Unknown);
    assert!(report.findings[0].message.contains("1048576"), "{}", report.findings[0].message);
    let Place { line, column, end_line, end_column } = report.findings[0].place;
    assert_eq!((line, column, end_line, end_column), (1, MAX_SOURCE + 1, 1, MAX_SOURCE + 2));
    assert!(report.findings[0].help.contains("several scripts"), "{}", report.findings[0].help);
}

#[test]
fn a_long_row_of_operators_nests_nothing() {
    for operator in ["+", "-", "*", "and", "or", "=="] {
        let script = format!("redis.call('GET', KEYS[1]) return 1{}", format!(" {operator} 1").repeat(100_000));
        assert_eq!(lint(script.into_bytes()).verdict, Verdict::Declared, "{operator}");
    }
}

/// Steps are counted, not seconds: a machine that does something else besides takes longer, not more steps.
#[test]
fn large_and_wide_scripts_stay_within_their_steps_and_say_so() {
    let branches = many(0..20_000, |n| format!("if ARGV[{n}] then x = x .. ARGV[{n}] end\n"));
    let table = many(0..50_000, |n| format!("'{n}', "));
    let calls = many(1..200, |n| format!("local function f{n}() f{m}() f{m}() end\n", m = n - 1));
    let nested = many(0..40, |n| format!("for i{n} = 1, #ARGV do if ARGV[i{n}] then t = {{ t, ARGV[i{n}] }} "));
    let scripts = [
        ("branches", format!("local x = ''\n{branches}")),
        ("a table", format!("local t = {{ {table} }} return redis.call('DEL', unpack(t))")),
        ("doubling calls", format!("local function f0() redis.call('GET', KEYS[1]) end\n{calls}f199()")),
        ("recursion", "local function f(n) return f(n - 1) + f(n - 2) end f(100)".to_owned()),
        (
            "loops in loops",
            "for a=1,60 do for b=1,60 do for c=1,60 do redis.call('GET', KEYS[1]) end end end".to_owned(),
        ),
        ("growing loops", format!("local t = {{}} {nested} redis.call('GET', t[2]) {}", "end end ".repeat(40))),
        ("doubling text", "local s = 'x' while true do s = s .. s end".to_owned()),
        ("endless tables", "local t = {} while true do t = { t } end".to_owned()),
        ("counting down", "local n = 0 while n ~= -1 do n = n - 1 end redis.call('GET', n)".to_owned()),
        (
            "functions of functions",
            "local function g(f) return function() return f(f) end end local f = g while true do f = g(f) f(f) end"
                .to_owned(),
        ),
    ];
    let mut exhausted = Vec::new();
    for (name, script) in scripts {
        let report = lint(script.into_bytes());
        let (steps, budget) = (report.effort.steps, report.effort.budget);
        assert!(budget > 0 && steps <= budget * 2 + budget / 4 + 3, "{name}: {steps} steps, the budget is {budget}");
        assert_ne!(report.verdict, Verdict::Invalid, "{name}: {:?}", report.findings);
        let says_so = report.findings.iter().any(|finding| finding.message.contains("more steps"));
        assert!(!says_so || report.verdict >= Verdict::Unknown, "{name}: {:?}", report.verdict);
        // Both walks ran out: then the report says so.
        assert_eq!(says_so, steps >= budget * 2, "{name}: {steps} of {budget}");
        exhausted.extend(says_so.then_some(name));
    }
    assert_eq!(exhausted, ["growing loops"], "the scripts that need more steps than there are");
}

#[test]
fn to_do_a_call_again_is_paid_for() {
    let makes = |tables: usize| format!("local function f() return {{{}}} end f()", "{},".repeat(tables));
    // For each few of the tables that a call made.
    let [once, twice] = [makes(20_000), makes(20_000) + " f()"].map(|script| lint(script.into_bytes()).effort.steps);
    assert!(twice - once >= 20_000 / 4, "{once} steps for one call, {twice} for two");
    // As many as there is room for: what a call made is not looked for one by one.
    let report = lint(makes(MAX_SOURCE / 3 - 20).into_bytes());
    assert_eq!(report.verdict, Verdict::Declared);
    assert!(report.effort.steps < report.effort.budget, "{:?}", report.effort);
}

#[test]
fn to_compare_calls_is_paid_for() {
    const CALLS: usize = 30;
    const FIELDS: usize = 1_900;
    // Each is given a table that differs from the others in its last field.
    let call = |n: usize| format!("f({{{}'{n}'}})\n", "1,".repeat(FIELDS - 1));
    let script = format!("local function f(t) return t[1] end {}", (0..CALLS).map(call).collect::<String>());
    let each = analyze_each_call("script.lua", script.as_bytes(), Policy::Strict).effort.steps;
    let steps = lint(script.into_bytes()).effort.steps;
    let compared = (CALLS * CALLS / 2 - CALLS) * FIELDS;
    assert!(steps - each >= compared as u64 / 8, "{steps} steps, {each} without a comparison");
}

#[test]
fn to_count_the_items_of_a_long_list_is_paid_for() {
    const ITEMS: usize = 20_000;
    const LINES: usize = 50;
    let steps = |line: &str| {
        let (items, lines) = ("1,".repeat(ITEMS), line.repeat(LINES));
        let steps = lint(format!("local t = {{{items}}} local n {lines}").into_bytes()).effort.steps;
        usize::try_from(steps).expect("a few")
    };
    let counted = steps("n = #t ");
    // Each of these has it counted from its start.
    for line in
        ["t[1] = nil t[1] = 1 n = #t ", "t[1] = nil t[1] = 1 t[#t + 1] = 1 ", "t[1] = nil t[1] = 1 table.insert(t, 1) "]
    {
        let steps = steps(line);
        assert!(
            steps - counted >= (LINES - 1) * ITEMS / 4,
            "{line}: {steps} steps, {counted} where it is counted once"
        );
    }
    // To take its last item away copies its pieces, of 64 items each, and counts none again.
    let removed = steps("table.remove(t) ") - counted;
    assert!(
        (LINES * ITEMS / 64 / 4..LINES * ITEMS / 64 * 2).contains(&removed),
        "{removed} steps to take {LINES} away"
    );
}

#[test]
fn to_take_from_a_list_of_many_lengths_is_paid_for() {
    const ITEMS: usize = 20_000;
    const LINES: usize = 50;
    let steps = |lines: usize| {
        let keys = many(1..8, |n| format!("KEYS[{n}],"));
        let (items, lines) = ("1,".repeat(ITEMS), "table.remove(t) ".repeat(lines));
        let steps = lint(format!("local t = {{{items}{keys}}} {lines}").into_bytes()).effort.steps;
        usize::try_from(steps).expect("a few")
    };
    // It is copied for each of its eight lengths, and joined with the others: each time it is looked at in its pieces.
    let (none, all) = (steps(0), steps(LINES));
    assert!(all - none >= LINES * 70 * (ITEMS / 64), "{} steps to take {LINES} away", all - none);
}

#[test]
fn to_take_from_a_list_of_any_length_is_paid_for() {
    const ITEMS: usize = 20_000;
    const LINES: usize = 50;
    let steps = |line: &str| {
        let (items, lines) = ("KEYS[1],".repeat(ITEMS), line.repeat(LINES));
        let steps = lint(format!("local t = {{{items}}} t[#t + 1] = 1 {lines}").into_bytes()).effort.steps;
        usize::try_from(steps).expect("a few")
    };
    for line in ["table.remove(t) ", "table.remove(t, 1) "] {
        let more = steps(line) - steps("");
        assert!(more >= LINES * ITEMS / 4, "{line}: {more} steps to take {LINES} away");
    }
}

#[test]
fn to_ask_how_many_keys_there_are_by_turns_is_paid_for() {
    const ITEMS: usize = 2_000;
    const LINES: usize = 50;
    let keys = many(1..u32::try_from(ITEMS).expect("a few"), |n| format!("KEYS[{n}],"));
    let steps = |line: &str| {
        let script = format!("local t = {{{keys}}} local n = 0 {}", line.repeat(LINES));
        usize::try_from(lint(script.into_bytes()).effort.steps).expect("a few")
    };
    // On one way all are there, and they are counted again on the other.
    let more = steps("if #KEYS > 3000 then n = #t end n = #t ") - steps("if #KEYS > 3000 then n = 1 end n = 1 ");
    assert!(more >= LINES * ITEMS / 4, "{more} steps");
}

#[test]
fn a_long_list_of_keys_may_be_spread_again_and_again() {
    let keys = many(1..201, |n| format!("KEYS[{n}], "));
    let report = lint(format!("local t = {{ {keys} }} {}", "redis.call('DEL', unpack(t))\n".repeat(50)).into_bytes());
    assert_eq!(report.verdict, Verdict::Declared, "{:?}", report.effort);
}

#[test]
fn to_tell_words_apart_is_paid_for() {
    const CALLS: usize = 20;
    let script = |words: &str| {
        let list = "a, b, c, d, ".repeat(25);
        let call = format!("redis.call('SORT', KEYS[1], unpack({{ KEYS[1], {list} }})) ");
        let word = |n: u32| format!("ARGV[{n}] and {words} or 'ALPHA'");
        let words = (1..5).map(word).collect::<Vec<_>>().join(", ");
        lint(format!("local a, b, c, d = {words} {}", call.repeat(CALLS)).into_bytes()).effort
    };
    let [one, several] = ["'ALPHA'", "(ARGV[9] and 'ASC' or 'DESC')"].map(script);
    assert!(
        several.steps >= one.steps + several.budget / 2,
        "{} steps, {} for one word each",
        several.steps,
        one.steps
    );
}

/// One part of a large script, by its number, and what may stand before and after all of them.
type Part = fn(u32) -> String;

#[test]
fn steps_grow_with_the_size_and_no_faster() {
    let shapes: [(&str, Part); 8] = [
        ("calls", |n| format!("redis.call('SET', KEYS[{}], ARGV[1])\n", n % 9 + 1)),
        ("branches", |n| {
            format!("if ARGV[{n}] then redis.call('INCR', KEYS[1]) else redis.call('DECR', KEYS[1]) end\n")
        }),
        ("locals in blocks", |n| {
            format!("do local key = KEYS[{}] if key then redis.call('GET', key) end end\n", n % 9 + 1)
        }),
        ("functions", |n| format!("do local function f(key) redis.call('GET', key) end f(KEYS[{}]) end\n", n % 9 + 1)),
        ("loops", |_| "for i, key in ipairs(KEYS) do redis.call('GET', key) end\n".to_owned()),
        ("tables", |n| {
            format!("do local t = {{ KEYS[1], at = ARGV[{n}] }} if t.at then redis.call('GET', t[1]) end end\n")
        }),
        ("closures", |n| {
            format!(
                "do local k = KEYS[1] local f = function() k = KEYS[{}] end if ARGV[1] then f() end redis.call('GET', k) end\n",
                n % 9 + 1
            )
        }),
        ("decoded data", |n| {
            format!("do local d = cjson.decode(ARGV[{n}]) if d.x then redis.call('SADD', KEYS[1], d.x) end end\n")
        }),
    ];
    for (name, part) in shapes {
        let steps = [MAX_SOURCE / 32, MAX_SOURCE / 16].map(|size| steps(name, size, part));
        assert!(steps[1] * 10 <= steps[0] * 22, "{name}: {steps:?}");
    }
    // One table that all of the script fills and looks at, where ways part and meet again.
    let filled: [(&str, Part); 4] = [
        ("a list that is asked for its keys", |n| {
            format!("if #KEYS < {} then return end t[#t + 1] = KEYS[{}]\n", n % 9 + 1, n % 9 + 1)
        }),
        ("a list", |n| {
            format!("table.insert(t, KEYS[{}]) if ARGV[1] then redis.call('GET', t[{}]) end\n", n % 9 + 1, n)
        }),
        ("a list by turns", |n| {
            // With no keys, its first item is an argument.
            format!(
                "t[#t + 1] = KEYS[{}] t[#t + 1] = ARGV[{n}] if t[1] then redis.call('GET', KEYS[1]) end\n",
                n % 9 + 1
            )
        }),
        ("a record", |n| format!("t.f{n} = KEYS[{}] if ARGV[1] then redis.call('GET', t.f{n}) end\n", n % 9 + 1)),
    ];
    for (name, part) in filled {
        let steps = [MAX_SOURCE / 8, MAX_SOURCE / 4, MAX_SOURCE / 2]
            .map(|size| steps(name, size, |n| if n == 1 { "local t = {}\n".to_owned() } else { part(n - 1) }));
        assert!(steps[1] * 10 <= steps[0] * 22 && steps[2] * 10 <= steps[1] * 22, "{name}: {steps:?}");
    }
    let mixed = |n: u32| shapes[n as usize % shapes.len()].1(n);
    let steps = [MAX_SOURCE / 4, MAX_SOURCE / 2, MAX_SOURCE].map(|size| steps("all of them", size, mixed));
    assert!(steps[1] * 10 <= steps[0] * 22 && steps[2] * 10 <= steps[1] * 22, "all of them: {steps:?}");
}

/// The steps for a script of that size, made of parts.
fn steps(name: &str, size: usize, part: impl Fn(u32) -> String) -> u64 {
    let mut script = String::new();
    for n in 1.. {
        let part = part(n);
        if script.len() + part.len() > size {
            break;
        }
        script.push_str(&part);
    }
    let report = lint(script.into_bytes());
    assert_eq!(report.verdict, Verdict::Declared, "{name} at {size}: {:?}", report.findings.first());
    report.effort.steps
}

#[test]
fn every_function_of_the_engine_is_known() {
    const LIST: &str = "
        local found = {}
        local function walk(name, t)
            for key, value in pairs(t) do
                if type(key) == 'string' and type(value) == 'function' then found[#found + 1] = name .. '.' .. key end
            end
        end
        walk('', _G)
        for key, value in pairs(_G) do
            if type(value) == 'table' and value ~= _G then walk(key, value) end
        end
        return found";
    let known: Vec<String> = known_functions().map(|(library, name)| format!("{library}.{name}")).collect();
    for (version, program) in engines::engines() {
        let server = PrivateServer::start(&program).expect("a private server");
        let target = Target::private(&server, Duration::from_secs(20)).expect("its address");
        let mut client = target.connect().expect("a connection");
        let found: Vec<String> = redis::cmd("EVAL").arg(LIST).arg(0).query(&mut client).expect("a list");
        let missing: Vec<&String> =
            found.iter().filter(|name| !known.contains(&name.replacen("server.", "redis.", 1))).collect();
        assert!(found.len() > 80 && missing.is_empty(), "valkey {version}: {missing:?}");
    }
}

#[test]
fn values_of_the_engine_may_be_what_they_are() {
    const LIST: &str = "
        local found = {}
        local function walk(name, t)
            for key, value in pairs(t) do
                local kind = type(value)
                if kind ~= 'function' and kind ~= 'table' then found[#found + 1] = name .. key .. ' ' .. kind end
            end
        end
        walk('', _G)
        for key, value in pairs(_G) do
            if type(value) == 'table' and value ~= _G and value ~= KEYS and value ~= ARGV then walk(key .. '.', value) end
        end
        return found";
    // What neither engine here has, and another one may.
    let mut all: Vec<String> = [
        "cjson.array_mt table",
        "cjson.empty_array_mt table",
        "cjson.empty_array userdata",
        "os.date('*t') table",
        "os.date() string",
        "os.time() number",
        "os.difftime(2, 1) number",
    ]
    .map(str::to_owned)
    .into();
    for (_, program) in engines::engines() {
        let server = PrivateServer::start(&program).expect("a private server");
        let target = Target::private(&server, Duration::from_secs(20)).expect("its address");
        let mut client = target.connect().expect("a connection");
        let found: Vec<String> = redis::cmd("EVAL").arg(LIST).arg(0).query(&mut client).expect("a list");
        assert!(found.len() > 30, "{found:?}");
        all.extend(found);
    }
    for one in all {
        let (value, kind) = one.rsplit_once(' ').expect("a value and its kind");
        let script = format!("if type({value}) == '{kind}' then redis.call('GET', ARGV[1]) end");
        assert_ne!(lint(script.into_bytes()).verdict, Verdict::Declared, "{one}");
    }
}

fn many(range: std::ops::Range<u32>, part: impl Fn(u32) -> String) -> String {
    range.map(part).collect::<Vec<_>>().concat()
}

fn lint(source: Vec<u8>) -> FileReport {
    let work = move || analyze("script.lua", &source, Policy::Strict);
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("the analysis ends")
}

/// Keys are counted one by one, and a few letters may ask for any number of them.
#[test]
fn keys_that_a_script_asks_for_cost_no_more_than_they_are_named() {
    for script in [
        "if KEYS[900000] then return #KEYS end",
        "assert(KEYS[900000]) for i = 1, #KEYS do redis.call('GET', KEYS[i]) end",
        "if #ARGV < 900000 then return end return #ARGV",
        "if KEYS[4000000000] then return #KEYS end",
    ] {
        let steps = lint(script.as_bytes().to_vec()).effort.steps;
        assert!(steps < 20_000, "{script}: {steps} steps");
    }
}

#[test]
fn keys_that_are_declared_leave_room_for_what_is_told_of_a_call_that_no_run_reaches() {
    let keys = many(1..100, |at| format!("KEYS[{at}], "));
    let report = lint(format!("local function f() redis.call('DEL', {keys}'literal') end return 1").into_bytes());
    assert_eq!(report.findings.iter().filter(|finding| finding.rule == "undeclared-literal").count(), 1);
}

/// A call is walked once for each place that its function is called from; what is told of it has an end.
#[test]
fn findings_in_code_that_no_run_reaches_do_not_grow_with_the_square_of_a_script() {
    let found = |loops| {
        let body = "for i = 1, n do redis.call('GET', 'x' .. i) f(i) end ".repeat(loops);
        let report =
            lint(format!("local function f(n) f(n) {body} end return redis.call('GET', KEYS[1])").into_bytes());
        assert_eq!(report.verdict, Verdict::Declared);
        report.findings.len()
    };
    let (few, many) = (found(100), found(400));
    assert!(few > 100, "{few}");
    assert!(many <= few * 5, "{few} findings of 100 loops, {many} of 400");
}
