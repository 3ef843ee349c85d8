//! Random small scripts that move keys and data about, and touch keys of the server.

mod odd;

use std::fmt::Write as _;

use crate::common::chance::Chance;

/// One random script, as EVAL or FUNCTION LOAD takes it.
pub(crate) fn script(seed: u64) -> String {
    let mut chance = Chance::new(seed);
    let foreign = [0, 0, 1, 4, 15][usize::try_from(chance.below(5)).expect("a few")];
    let kind = chance.below(10);
    let mut writer = Writer {
        chance,
        out: String::new(),
        foreign,
        scope: Scope::default(),
        next: 0,
        indent: 0,
        loops: 0,
        functions: 0,
        returns: 0,
        vararg: false,
    };
    // Says how many keys the caller passes at least.
    if writer.chance.of(20) {
        writer.line("-- KEYS[3] is the last one");
    }
    writer.line("local call = redis.call");
    // A loop over a table that grows would never end.
    writer.line("local rounds = 0");
    if matches!(kind, 3 | 4) {
        writer.one_thing();
    } else {
        writer.block(4);
        writer.touch();
    }
    match kind {
        0 => format!("#!lua flags=allow-stale\n{}", writer.out),
        1 | 2 => library(seed, &writer.out, kind == 1),
        _ => writer.out,
    }
}

/// The name of a script's library and of the function in it.
pub(crate) fn function_name(script: &str) -> Option<String> {
    let line = script.lines().next()?;
    line.strip_prefix("#!lua name=").map(str::to_owned)
}

/// The same as a function, with its keys and arguments under these names or others.
fn library(seed: u64, body: &str, renamed: bool) -> String {
    let (keys, arguments) = if renamed { ("k", "rest") } else { ("KEYS", "ARGV") };
    let body = body.replace("KEYS", keys).replace("ARGV", arguments);
    let named = format!("function_name = 'f{seed}', callback = f");
    let body = match seed % 8 {
        // What a call that fails leaves behind.
        1 => format!("if kept then call('GET', kept) end\nkept = {keys}[1]\n{body}kept = nil\n").replacen(
            "if kept",
            "local call = redis.call\nif kept",
            1,
        ),
        _ => body,
    };
    let kept = if seed % 8 == 1 { "local kept\n" } else { "" };
    let register = if renamed { format!("{{ {named} }}") } else { format!("('f{seed}', f)") };
    format!(
        "#!lua name=f{seed}\n{kept}local function f({keys}, {arguments})\n{body}end\nserver.register_function{register}\n"
    )
}

#[derive(Clone, Default)]
struct Scope {
    texts: Vec<String>,
    tables: Vec<String>,
    functions: Vec<String>,
}

struct Writer {
    chance: Chance,
    out: String,
    /// How many of a hundred leaves are no element of KEYS.
    foreign: u64,
    scope: Scope,
    next: u32,
    indent: usize,
    loops: u32,
    functions: u32,
    returns: u32,
    /// `...` may be used here.
    vararg: bool,
}

impl Writer {
    fn line(&mut self, text: &str) {
        writeln!(self.out, "{:width$}{text}", "", width = self.indent * 2).expect("a string");
    }

    fn name(&mut self, letter: char) -> String {
        self.next += 1;
        format!("{letter}{}", self.next)
    }

    fn any(&mut self, names: &[String]) -> Option<String> {
        let count = u64::try_from(names.len()).expect("a few");
        if count == 0 { None } else { Some(names[usize::try_from(self.chance.below(count)).expect("a few")].clone()) }
    }

    fn text_name(&mut self) -> Option<String> {
        let names = self.scope.texts.clone();
        self.any(&names)
    }

    fn table_name(&mut self) -> Option<String> {
        let names = self.scope.tables.clone();
        self.any(&names)
    }

    fn leaf(&mut self) -> String {
        if self.chance.of(self.foreign) {
            return self
                .chance
                .pick(&["ARGV[1]", "ARGV[2]", "'lit'", "'k:1'", "KEYS[1] .. ':x'", "ARGV[4]"])
                .to_owned();
        }
        self.chance
            .pick(&["KEYS[1]", "KEYS[2]", "KEYS[3]", "KEYS[#KEYS]", "KEYS[1 + 1]", "(KEYS[0] or KEYS[-1] or KEYS[2])"])
            .to_owned()
    }

    /// An expression that is most often text.
    fn text(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance.of(25) {
            return self.text_name().filter(|_| self.chance.of(60)).unwrap_or_else(|| self.leaf());
        }
        let depth = depth - 1;
        match self.chance.below(26) {
            24 | 25 => self.odd_text(depth),
            0 => format!("({} and {} or {})", self.condition(depth), self.text(depth), self.text(depth)),
            1 => format!("({} or {})", self.text(depth), self.text(depth)),
            2 => format!("tostring({})", self.text(depth)),
            3 => format!("string.format('%s', {})", self.text(depth)),
            4 => format!("({}):sub(1, -1)", self.text(depth)),
            5 => format!("(select({}, unpack(KEYS)))", 1 + self.chance.below(3)),
            6 => format!("table.concat({{ {} }})", self.text(depth)),
            7 => format!("({} .. '')", self.text(depth)),
            8 => format!("(call('GET', {}) or {})", self.text(depth), self.text(depth)),
            9 => match self.table_name() {
                Some(table) => {
                    let field = self.chance.pick(&["f", "g", "[1]", "[2]", "[#KEYS]", "[3]"]);
                    let dot = if field.starts_with('[') { "" } else { "." };
                    format!("({table}{dot}{field} or {})", self.text(depth))
                }
                None => self.leaf(),
            },
            10 | 11 => {
                let names = self.scope.functions.clone();
                match self.any(&names) {
                    Some(function) if self.chance.of(30) => {
                        let (one, two, more) = (self.text(depth), self.text(depth), self.text(depth));
                        format!("({function}({one}, {two}, {more}, {one}) or KEYS[1])")
                    }
                    Some(function) => format!("({function}({}, {}) or KEYS[1])", self.text(depth), self.text(depth)),
                    None => self.leaf(),
                }
            }
            12 => match self.table_name() {
                Some(table) => {
                    let form = self.chance.pick(&[
                        "(table.remove($t) or KEYS[2])",
                        "(unpack($t) or KEYS[3])",
                        "(next($t) or KEYS[1])",
                    ]);
                    form.replace("$t", &table)
                }
                None => self.leaf(),
            },
            13 => format!("(({}):gsub('zzz', ''))", self.text(depth)),
            14 if self.chance.of(30) => format!("cjson.decode(cjson.encode({{ k = {} }})).k", self.text(depth)),
            15 if self.chance.of(30) => format!("cmsgpack.unpack(cmsgpack.pack({}))", self.text(depth)),
            16 if self.chance.of(30) => format!("(struct.unpack('s', struct.pack('s', {})))", self.text(depth)),
            17 if self.chance.of(30) => format!("(({}):gsub('^.*$', {}))", self.text(depth), self.text(depth)),
            18 if self.vararg => {
                let form = self.chance.pick(&["(... or $)", "(select(-1, $, ...))", "((select(2, ...)) or $)"]);
                form.replace('$', &self.text(depth))
            }
            19 => format!("(select(-1, {}, {}))", self.text(depth), self.text(depth)),
            20 => format!("({{ {}, {} }})[{}]", self.text(depth), self.text(depth), 1 + self.chance.below(2)),
            21 => self.item(depth),
            22 => format!("({} and {} or {})", self.constant_condition(), self.text(depth), self.text(depth)),
            _ => self.leaf(),
        }
    }

    /// An item of a table that says its place, or does not, or both.
    fn item(&mut self, depth: u32) -> String {
        let (one, two) = (self.text(depth), self.text(depth));
        let form = self.chance.pick(&[
            "({ $1, [1] = $2 })[1]",
            "({ [1] = $1, $2 })[1]",
            "({ $1; [2] = $1, [1] = $2 })[1]",
            "({ unpack(KEYS), [1] = $1 })[1]",
            "({ [2] = $1, unpack({ $2, $1 }) })[2]",
            "({ [KEYS[1]] = $1, [KEYS[2]] = $2 })[KEYS[1]]",
            "({ { $1, [1] = $2 }, [1] = { $2 } })[1][1]",
            "(select(2, unpack({ 'x', $1, [2] = $2 })))",
            "({ $50, [1] = $1, $2 })[1]",
            "({ $50, $1, [51] = $2 })[51]",
        ]);
        let fifty = vec!["'x'"; 50].join(", ");
        form.replace("$50", &fifty).replace("$1", &one).replace("$2", &two)
    }

    /// One construct that decides between a key and something else, and nothing around it that is undeclared anyway.
    fn one_thing(&mut self) {
        self.foreign = 0;
        match self.chance.below(11) {
            3 => self.fewer_keys(),
            8..=10 => self.fewer_than_read(),
            7 => self.spread(),
            4..=6 => self.one_odd_thing(),
            0 => {
                let condition = self.constant_condition();
                self.line("local key, other = KEYS[1], ARGV[1]");
                if self.chance.of(50) {
                    self.line("key, other = other, key");
                }
                self.line(&format!("if {condition} then call('GET', key) else call('GET', other) end"));
            }
            1 => {
                self.foreign = 50;
                let item = self.item(0);
                self.line(&format!("call('GET', {item} or KEYS[1])"));
            }
            _ => {
                self.line("local t = { KEYS[1], f = KEYS[2], KEYS[3] }");
                self.scope.tables.push("t".to_owned());
                self.foreign = 50;
                self.assign_together();
                self.foreign = 0;
                let name = self.scope.texts.last().expect("just assigned").clone();
                let key =
                    self.chance.pick(&[&*name, "t.f or KEYS[1]", "t[1] or KEYS[1]", "t[2] or KEYS[1]"]).to_string();
                self.line(&format!("call('GET', {key})"));
            }
        }
    }

    /// A condition that the engine always decides the same way.
    fn constant_condition(&mut self) -> String {
        let text = self.chance.pick(&[
            "10",
            "10s",
            " 7 ",
            "1.5",
            "1.2.3",
            "1-2",
            "1_0",
            "e5",
            "1e",
            "1e2",
            "0x",
            "0x10",
            "inf",
            "nan",
            "-0",
            "+5",
            "",
            "z",
            "ff",
            "8",
            "abc",
            "a\\0b",
            "010",
            "9007199254740993",
            ".5",
            "5.",
            "\\226\\128\\131",
            "1\\0",
        ]);
        let number = self.chance.pick(&[
            "0",
            "-0",
            "1e15",
            "0.1",
            "5",
            "-5",
            "7",
            "(0 * -1)",
            "(0 / -5)",
            "(1 - 1)",
            "2^53",
            "(8999999999999999 + 7199254740993)",
        ]);
        let other = self.chance.pick(&["3", "-3", "0.5", "4", "0", "-1"]);
        let base = self.chance.pick(&["10", "16", "36", "8", "2"]);
        let form = self.chance.pick(&[
            "tonumber('$t')",
            "tonumber('$t', $b)",
            "tonumber('$t') == 10",
            "tonumber($n, $b) == 2",
            "tostring($n) == '0'",
            "tostring($n) == '-0'",
            "tostring(-($n)) == '-0'",
            "tostring(-0) == '-0'",
            "tostring(0 * -1) == '-0'",
            "('%s'):format('a\\0b') == 'a'",
            "#('%s'):format('a\\0b') == 1",
            "('%s%s'):format('a\\0', 'b') == 'ab'",
            "tonumber('1.2.3')",
            "tonumber('inf')",
            "tonumber('z', 36) == 35",
            "($n .. '') == '0'",
            "($n .. '') == '1e+15'",
            "#($n .. '') == 1",
            "('%s'):format('$t') == 'a'",
            "#('%s'):format('$t') == 1",
            "('%s%s'):format('$t', 'b') == 'ab'",
            "('%d'):format($n) == '0'",
            "#'$t' == 2",
            "#'$t' > 2",
            "#[[\r\na\r\nb]] == 3",
            "'a\\\nb' == 'a\\nb'",
            "('$t'):upper() == 'ABC'",
            "('$t'):rep(2) == 'zz'",
            "('$t'):byte() == 122",
            "string.char(122) == '$t'",
            "$n % $m == 1",
            "$n / $m < 0",
            "1 / $n < 0",
            "$n < $m",
            "$n < $n + #ARGV[1]:sub(5) + 1",
            "$n == $n + #ARGV[1]:sub(5) + 1",
            "$n == $m",
            "'$t' == $n",
            "'$t' < 'a'",
            "('$t' or nil) and $n",
            "(nil or $n) == 0",
            "not $n",
            "not '$t'",
            "({ 'b', [1] = 'a' })[1] == 'b'",
            "type(tonumber('$t')) == 'number'",
            "math.floor($n) == 0",
            "('$t' + 1) == 11",
        ]);
        let form = if self.chance.of(40) { self.chance.pick(odd::CONDITIONS) } else { form };
        form.replace("$t", text).replace("$n", number).replace("$m", other).replace("$b", base)
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.chance.below(11) {
            9 | 10 => self.constant_condition(),
            0 => "ARGV[3] == '1'".to_owned(),
            1 => self.chance.pick(&["#KEYS > 2", "#KEYS < 3", "#KEYS == 3", "#KEYS < 2", "KEYS[4]"]).to_owned(),
            2 => format!("{} == {}", self.text(depth.min(1)), self.text(depth.min(1))),
            3 => format!("{} ~= ARGV[2]", self.text(depth.min(1))),
            4 => "true".to_owned(),
            5 => "ARGV[5]".to_owned(),
            6 => format!("not {}", self.text(depth.min(1))),
            7 => format!("(ARGV[3] == '0' or {} == KEYS[1])", self.text(0)),
            _ => format!("call('EXISTS', {}) == 1", self.text(depth.min(1))),
        }
    }

    fn block(&mut self, statements: u64) {
        let outer = self.scope.clone();
        for _ in 0..=self.chance.below(statements) {
            self.statement();
        }
        self.scope = outer;
    }

    fn nested(&mut self, head: &str, tail: &str) {
        self.line(head);
        self.indent += 1;
        self.block(3);
        self.indent -= 1;
        self.line(tail);
    }

    fn statement(&mut self) {
        let deep = self.indent >= 4;
        match self.chance.below(if deep { 11 } else { 23 }) {
            0 | 1 => self.touch(),
            10 if self.chance.of(50) => self.guard(),
            9 => self.assign_together(),
            2 => {
                let (name, value) = (self.name('v'), self.text(2));
                self.line(&format!("local {name} = {value}"));
                self.scope.texts.push(name);
            }
            3 => {
                if let Some(name) = self.text_name() {
                    let value = self.text(2);
                    self.line(&format!("{name} = {value}"));
                }
            }
            4 => {
                let (name, one, two, last) = (self.name('t'), self.text(1), self.text(1), self.text(0));
                self.line(&format!("local {name} = {{ {one}, f = {two}, {last} }}"));
                self.scope.tables.push(name);
            }
            5 | 6 => self.change_table(),
            7 => {
                let names = self.scope.texts.clone();
                if let (Some(one), Some(two)) = (self.any(&names), self.any(&names)) {
                    self.line(&format!("{one}, {two} = {two}, {one}"));
                }
            }
            8 => {
                let index = 1 + self.chance.below(3);
                if self.chance.of(15) {
                    let value = self.text(1);
                    self.line(&format!("KEYS[{index}] = {value}"));
                }
            }
            10 | 19 | 22 => {
                let condition = self.condition(1);
                self.nested(&format!("if {condition} then"), "else");
                self.out.truncate(self.out.trim_end().len());
                self.out.push('\n');
                self.indent += 1;
                self.block(2);
                self.indent -= 1;
                self.line("end");
            }
            11 | 12 => self.repeat(),
            13 => self.function(),
            15 => self.protected(),
            14 => self.odd(),
            18 => {
                let (ok, name, value) = (self.name('o'), self.name('v'), self.text(1));
                self.line(&format!("local {ok}, {name} = pcall(error, {value})"));
                self.line(&format!("if type({name}) ~= 'string' then {name} = KEYS[1] end"));
                self.scope.texts.push(name);
            }
            21 if self.chance.of(15) => {
                let vararg = std::mem::take(&mut self.vararg);
                let (name, value, other) = (self.name('m'), self.text(1), self.text(1));
                self.vararg = vararg;
                self.line(&format!("local {name} = setmetatable({{}}, {{ __index = function() return {value} end }})"));
                self.line(&format!("call('GET', {name}.any or {other})"));
            }
            20 if self.chance.of(15) => {
                let names = self.scope.functions.clone();
                if let Some(function) = self.any(&names) {
                    let value = self.text(1);
                    let own = format!("{{ KEYS = {{ {value}, {value}, {value} }} }}");
                    self.line(&format!("setfenv({function}, setmetatable({own}, {{ __index = _G }}))"));
                }
            }
            16 => {
                if self.loops > 0 && self.chance.of(50) {
                    let condition = self.condition(1);
                    self.line(&format!("if {condition} then break end"));
                } else if self.returns > 0 {
                    let (condition, value) = (self.condition(1), self.text(1));
                    self.line(&format!("if {condition} then return {value} end"));
                }
            }
            _ => {
                if let Some(table) = self.table_name() {
                    let form = self.chance.pick(&["DEL", "EXISTS", "UNLINK"]);
                    self.line(&format!("pcall(call, '{form}', unpack({table}))"));
                }
            }
        }
    }

    /// Several values at once, to one place or several, or to one while another is computed.
    fn assign_together(&mut self) {
        // They may come to stand in a function of their own.
        let vararg = std::mem::take(&mut self.vararg);
        let (value, other, index) = (self.text(1), self.text(1), 1 + self.chance.below(2));
        self.vararg = vararg;
        if let Some(table) = self.table_name() {
            let form = self.chance.pick(&[
                "$t.f, $t.f = $1, $2",
                "$t[1], $t[1] = $1, $2",
                "local same = $t; $t.f, same.f = $1, $2",
                "local one, two = 1, $i; $t[one], $t[two] = $1, $2",
                "$t.f, $t.g, $t.f = $1, $2",
                "local u = { $1 }; local old = u; u[$i] = (function() u = $t; return $2 end)(); $t.f = old[1]",
                "local n = 1; $t[n] = (function() n = 2; return $1 end)()",
            ]);
            let line = form.replace("$t", &table).replace("$1", &value).replace("$2", &other);
            self.line(&format!("do {} end", line.replace("$i", &index.to_string())));
        }
        let name = self.name('v');
        let form = self.chance.pick(&[
            "local $v; $v, $v = $1, $2",
            "local $v, $v = $1, $2",
            "local $v; $v, $v = (function() return $1, $2 end)()",
            "local $v; do local u, w = { $1 }, { $2 }; $v = u[(function() u = w; return 1 end)()] end",
            "local $v; do local n = 'a'; $v = ({ [n] = (function() n = 'b'; return $1 end)(), a = $2 }).b end",
            "local function f(...) return arg[1] end local $v = f($1, $2)",
            "local $v; (function(...) if arg.n == 2 then $v = $1 else $v = $2 end end)(nil, nil)",
            "local $v; (function(...) local _ = ...; if arg then $v = $1 else $v = $2 end end)(1)",
            "local $v; do local n = 1; if n == (function() n = 2; return 2 end)() then $v = $1 else $v = $2 end end",
            "local $v; do local n = 1; $v = ({ $1, $2, $1, $2 })[n + (function() n = 2; return 2 end)()] end",
        ]);
        self.line(&form.replace("$v", &name).replace("$1", &value).replace("$2", &other));
        self.line(&format!("if type({name}) ~= 'string' then {name} = KEYS[1] end"));
        self.scope.texts.push(name);
    }

    /// Makes sure of how many keys there are, or seems to.
    fn guard(&mut self) {
        let number = (1 + self.chance.below(3)).to_string();
        let form = self.chance.pick(&[
            "if #KEYS < $n then return KEYS[1] end",
            "if $n > #KEYS then return KEYS[1] end",
            "if #KEYS ~= $n then return KEYS[1] end",
            "if #KEYS <= $n then return KEYS[1] end",
            "if not KEYS[$n] then return KEYS[1] end",
            "if KEYS[$n] == nil then error('few') end",
            "assert(#KEYS >= $n, 'few')",
            "assert(#KEYS == $n and #ARGV > 0)",
            "assert(KEYS[$n])",
            "assert(ARGV[$n])",
            "if #ARGV < $n then return KEYS[1] end",
            "if #KEYS > $n then return KEYS[1] end",
            "pcall(function() assert(#KEYS > $n) end)",
            "do local function need() if #KEYS < $n then error('few') end end need() end",
            "do local function need() if ARGV[3] == '1' and not KEYS[$n] then error('few') end end need() end",
            "do local k = KEYS[$n] if k == nil then return KEYS[1] end end",
            "do local k = KEYS; if #k < $n then return KEYS[1] end end",
            "do local k = KEYS[$n] and ('' .. KEYS[$n]) if k then call('GET', KEYS[$n]) end end",
        ]);
        self.line(&form.replace("$n", &number));
        // What is put behind the keys that are there, and what stands where they do.
        if self.chance.of(60) {
            let (value, place) = (self.text(1), 1 + self.chance.below(3));
            let form = self.chance.pick(&[
                "do local l = { KEYS[1], KEYS[2], KEYS[3] }; l[#l + 1] = $v; if l[$i] then call('GET', l[$i]) end end",
                "do local l = { KEYS[1], KEYS[2] }; l[#l + 1] = $v; table.remove(l, $i); if l[1] then call('GET', l[1]) end end",
                "do local l = { 'x', KEYS[1], KEYS[3] }; l[#l + 1] = $v; local k = table.remove(l, $i); if k then call('GET', k) end end",
                "do local l = { KEYS[2] }; for _ = 1, #ARGV do l[#l + 1] = $v end; local k = table.remove(l, 1); if k then call('GET', k) end end",
                "do local l = { KEYS[2] }; l[#l + 1] = $v; local u = { 'x', unpack(l) }; if u[$i] then call('GET', u[$i]) end end",
                "call('GET', KEYS[$i] or $v)",
                "if not KEYS[$i] then call('GET', $v) end",
                "if KEYS[$i] == nil then call('GET', $v) end",
            ]);
            self.line(&form.replace("$v", &value).replace("$i", &place.to_string()));
        }
    }

    fn change_table(&mut self) {
        let Some(table) = self.table_name() else { return };
        let value = self.text(1);
        let forms = [
            "$t.f = $v",
            "$t.g = $v",
            "$t[1] = $v",
            "$t[#$t + 1] = $v",
            "table.insert($t, $v)",
            "table.insert($t, 1, $v)",
            "table.remove($t, 1)",
            "$t[$v] = $v",
            "$t[ARGV[3]] = $v",
            "local other = $t; other.f = $v",
            "$t.h = { f = $v }",
            "if $t.h then $t.f = $t.h.f end",
            "table.sort($t)",
            "$t[0] = $v",
            "$t[-1] = $v",
            "$t[2] = nil",
            "table.remove($t)",
            "table.insert($t, 0, $v)",
            "table.remove(KEYS)",
            "KEYS[tonumber(ARGV[3]) or 1] = nil",
            "$t[1.5] = $v",
            "rawset($t, 1, $v)",
            "table.insert($t, #$t + 1, $v)",
            "table.remove($t, 2)",
            "$t.h = { unpack($t) }; $t[1] = $t.h[1]",
            "for _ = 1, #ARGV do $t[#$t + 1] = $v end",
            "$t.f = table.remove($t, 1) or $v",
            "$t.f = table.remove($t) or $v",
        ];
        let form = self.chance.pick(&forms);
        self.line(&form.replace("$t", &table).replace("$v", &value));
    }

    fn repeat(&mut self) {
        let (index, item) = (self.name('i'), self.name('v'));
        let table = self.table_name().unwrap_or_else(|| "KEYS".to_owned());
        let number = self.chance.pick(&["-1", "0", "1", "tonumber(ARGV[3])", "nil"]);
        let head = match self.chance.below(11) {
            7 => format!("for {index}, {item} in (ipairs({table})), {table}, {number} do"),
            8 => {
                let (text, other) = (self.text(1), self.text(0));
                let form = self.chance.pick(&["$1:gmatch('.+')", "($1:gmatch('.+'))", "$1:gmatch('.+'), $2"]);
                let form = form.replace("$1", &format!("({text})")).replace("$2", &other);
                if self.chance.of(50) {
                    format!("for {item} in {form} do")
                } else {
                    self.line(&format!("local g{index} = {form}"));
                    format!("for {item} in g{index} do")
                }
            }
            9 => {
                let bounds =
                    self.chance.pick(&["1, 3, 0.5", "3, 1, -1", "0.5, 2", "'1', '2'", "1, 3, 0", "2, 1", "-1, 1"]);
                format!("for {index} = {bounds} do local {item} = {table}[{index}]")
            }
            10 => format!("for {index}, {item} in next, {table} do"),
            0 => format!("for {index} = 1, 3 do local {item} = KEYS[{index}]"),
            1 => format!("for {index} = 1, #KEYS do local {item} = KEYS[{index}]"),
            2 => format!("for {index} = #{table}, 1, -1 do local {item} = {table}[{index}]"),
            3 => format!("for {index}, {item} in ipairs({table}) do"),
            4 => format!("for {index}, {item} in pairs({table}) do"),
            5 => format!("for {index} = 1, tonumber(ARGV[3]) do local {item} = KEYS[{index} + 1]"),
            _ => {
                self.line(&format!("local {index} = 0"));
                format!("while {index} < 2 do {index} = {index} + 1 local {item} = {table}[{index}]")
            }
        };
        let outer = self.scope.clone();
        self.loops += 1;
        self.line(&head);
        self.indent += 1;
        self.line("rounds = rounds + 1");
        self.line("if rounds > 40 then break end");
        if self.chance.of(20) {
            let value = self.text(1);
            let form = self.chance.pick(&["$t[1] = $v", "$t[2] = $v", "$t.f = $v", "$t[#$t] = $v", "$t[3] = nil"]);
            self.line(&form.replace("$t", &table).replace("$v", &value));
        }
        self.line(&format!("if type({item}) == 'string' then"));
        self.scope.texts.push(item);
        self.indent += 1;
        self.block(3);
        self.indent -= 1;
        self.line("end");
        self.indent -= 1;
        self.line("end");
        self.loops -= 1;
        self.scope = outer;
    }

    fn function(&mut self) {
        if self.functions >= 3 {
            return;
        }
        self.functions += 1;
        let (name, one, two) = (self.name('f'), self.name('p'), self.name('p'));
        let outer = self.scope.clone();
        let loops = std::mem::take(&mut self.loops);
        let vararg = std::mem::replace(&mut self.vararg, true);
        self.returns += 1;
        self.line(&format!("local depth_{name} = 0"));
        self.line(&format!("local function {name}({one}, {two}, ...)"));
        self.indent += 1;
        self.line(&format!("depth_{name} = depth_{name} + 1"));
        self.line(&format!("if depth_{name} > 6 then return {two} end"));
        self.scope.texts.extend([one, two]);
        if self.chance.of(40) {
            self.scope.functions.push(name.clone());
        }
        self.block(3);
        let value = self.text(2);
        self.line(&format!("return {value}"));
        self.indent -= 1;
        self.line("end");
        self.returns -= 1;
        self.loops = loops;
        self.vararg = vararg;
        self.scope = outer;
        self.scope.functions.push(name);
    }

    fn protected(&mut self) {
        let loops = std::mem::take(&mut self.loops);
        let vararg = std::mem::take(&mut self.vararg);
        let outer = self.scope.clone();
        let (ok, value) = (self.name('o'), self.name('v'));
        self.line(&format!("local {ok}, {value} = pcall(function()"));
        self.indent += 1;
        self.returns += 1;
        self.block(3);
        let condition = self.condition(1);
        self.line(&format!("if {condition} then error('stop') end"));
        self.block(2);
        let given = self.text(1);
        self.line(&format!("return {given}"));
        self.returns -= 1;
        self.indent -= 1;
        self.line("end)");
        self.loops = loops;
        self.vararg = vararg;
        self.scope = outer;
        self.line(&format!("if not {ok} or type({value}) ~= 'string' then {value} = KEYS[1] end"));
        self.scope.texts.push(value);
    }

    fn touch(&mut self) {
        let (one, two) = (self.text(2), self.text(1));
        let forms = [
            "call('SET', $1, ARGV[1])",
            "call('GET', $1)",
            "call('DEL', $1)",
            "call('MSET', $1, ARGV[1], $2, 'x')",
            "call('EXISTS', $1, $2)",
            "redis.pcall('LPUSH', $1, $2)",
            "redis['call']('APPEND', $1, 'y')",
            "call(ARGV[3] == '1' and 'INCR' or 'GET', $1)",
            "redis.pcall('ZUNIONSTORE', $1, 1, $2)",
            "redis.pcall('SORT', $1, 'STORE', $2)",
            "redis.pcall('SORT', $1, 'BY', 'nosort', 'GET', '#')",
            "redis.pcall('SORT', $1, 'BY', $2)",
            "redis.pcall('SORT', $1, 'LIMIT', 0, 5, 'GET', $2 .. '*')",
            "redis.pcall('SORT', $1, 'by\\0x', $2 .. '*')",
            "redis.pcall('SORT', $1, 'LIMIT\\0', 0, 5, 'GET\\0', $2 .. '*')",
            "redis.pcall('OBJECT', 'encoding\\0x', $1)",
            "server.call('TYPE', $1)",
            "redis.pcall('RENAME', $1, $2)",
            "redis.pcall('EVAL', $1, 0)",
            "redis.pcall('DEL', unpack(KEYS, 1, 4))",
            "redis.pcall('DEL', unpack(KEYS, 0, 1))",
            "-- the line ends here\rcall('GET', $1)",
            "call('GET', $1) --[[ here\rit does not end ]] call('GET', $2)",
        ];
        let form = self.chance.pick(&forms);
        self.line(&form.replace("$1", &one).replace("$2", &two));
    }
}
