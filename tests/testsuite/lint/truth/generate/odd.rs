//! What few scripts do, and what the engine then does all the same.

use super::Writer;

/// Texts, of two others and a table.
const TEXTS: &[&str] = &[
    "(string.gmatch($1, '.+')() or $2)",
    "((string.gmatch($1, '.+'))() or $2)",
    "(unpack({ $1, $2 }, 4294967297) or $2)",
    "(select(4294967298, $1, $2))",
    "(({ k = $1 })[ARGV[9] and 'k'] or $2)",
    "(select(2, (ipairs($t))($t, $n)) or $2)",
    "(unpack($t, $n) or $2)",
    "(select(2, unpack($t, $n, 2)) or $2)",
    "(unpack($t, #$t) or $2)",
    "('%5s'):format($1)",
    "('%.3s%s'):format($1, $2)",
    "('%s%s'):format('', $1)",
    "(table.concat($t, '', $n, 1))",
    "(select(-2, $1, $2))",
    "(table.remove({ $1, $2 }, $n) or $2)",
    "(table.remove({ $1, $2 }, 4294967297) or $2)",
    "(rawget($t, $n) or $2)",
    "(select(2, pcall(error, { k = $1 })).k)",
    "(select(2, xpcall(error, function() return $1, $2 end)))",
    "(select(2, pcall(rawget, $t, $n)) or $2)",
    "((redis.error_reply($1)).err)",
    "({ $1, table.remove({}), $2 })[2]",
    "(table.concat($t, ':') .. 'x')",
    "(table.concat({ $1, $2 }, ':'))",
    "(table.concat({ ARGV[9], $1 }) .. $2)",
    "(function() local l = {} if ARGV[3] == '1' then l[1] = $1 end return table.concat(l, ':') .. 'x' end)()",
    "($1 .. ':x')",
    "(table.concat({ '', $1, $2 }, ARGV[9] and KEYS[1]))",
    "(table.concat({ '', $1 }, ARGV[3] == '1' and KEYS[2] or nil))",
    "((function() if ARGV[3] == '1' then return end return $1 end)() or $2)",
    "(select(2, (function() if ARGV[3] == '1' then return $2 end return $2, $1 end)()) or $2)",
    "(({ (function() if ARGV[3] == '1' then return $2 end return $2, $1 end)() })[2] or $2)",
    "(select('#', (function() if ARGV[3] == '1' then return end return 1 end)()) == 1 and $1 or $2)",
];

/// Statements that change a table `$t`, by two texts and something that fails.
const ON_A_TABLE: &[&str] = &[
    "pcall(function() return rawset($t, 'f', $1), $!, rawset($t, 'f', $2) end)",
    "pcall(function() return rawset($t, 1, $1), $!, rawset($t, 1, $2) end)",
    "pcall(function() local _ = { table.insert($t, 1, $1), $!, table.remove($t, 1) } end)",
    "pcall(function() local m = ARGV[9]; $t.f, m.x, $t.f = $1, 1, $2 end)",
    "pcall(function() $t.f, $t[nil], $t.f = $1, 1, $2 end)",
    "pcall(function() $t.f = $2; $t.f = $1, $!; $t.f = $2 end)",
    "xpcall(function() return $! end, function(e) $t.f = $1 error(e) end)",
    "xpcall(function() error('x') end, function(e) $t.f = $1 return $2 end)",
    "do local n = 4 local function r() if n > 0 then n = n - 1 pcall(r) end $t[4] = $t[3] $t[3] = $t[2] $t[2] = $t[1] $t[1] = $1 error('x') end pcall(r) end",
    "do local function r(n) if n > 0 then pcall(r, n - 1) end $t.g = $t.f $t.f = $t[2] $t[2] = $t[1] $t[1] = $1 error('x') end pcall(r, 4) end",
    "pcall(table.sort, $t, function(a, b) $t[1] = $1 return $! end)",
    "string.gsub('x', '.', function() $t.f = $1 end)",
    "pcall(string.gsub, 'xy', '.', function(m) $t.f = $1 if m == 'y' then return $! end $t.f = $2 end)",
    "table.foreachi($t, function(i, v) $t.f = v end)",
    "table.foreachi({ $1, nil, $2 }, function(i, v) $t.f = v or $2 end)",
    "local ok = pcall(table.insert, $t, 1, $1, 2) if not ok then $t.f = $1 end",
    "for i = 0, tonumber(ARGV[3]) * 4294967295, 4294967295 do local _, k = (ipairs($t))($t, i) if k then call('GET', k) end end",
    "for i = 1, tonumber(ARGV[3]) * 4294967296, 4294967295 do local k = unpack($t, i) if k then call('GET', k) end end",
    "for i = 1, tonumber(ARGV[3]) * 4294967296, 4294967295 do call('GET', table.concat($t, '', i, i)) end",
];

/// Statements by two texts and something that fails.
const ALONE: &[&str] = &[
    "xpcall(function() error('x') end, function(e) error(e) end)",
    "xpcall(function() error('x') end, nil)",
    "xpcall(function() return $! end, function(e) if type(e) == 'table' then call('GET', e.k) else error({ k = $1 }) end end)",
    "pcall(table.sort, { 3, 1, 2, 5, 4 }, function(a, b) if a == nil or b == nil then call('GET', $1) end return true end)",
    "pcall(table.sort, { 3, nil, 1 }, function(a, b) if a == nil or b == nil then call('GET', $1) end return false end)",
    "table.foreachi({ 1, nil, 3 }, function(i, v) if v == nil then call('GET', $1) end end)",
    "local k = $2 pcall(function() k = $1 return $! end) call('GET', k)",
    "local k = $2 xpcall(function() k = $1 return $! end, function() k = k or $1 end) call('GET', k)",
    "if not redis.pcall() then call('GET', $1) end",
    "local j = cjson.decode('{\"f\":\"a\",\"g\":{\"f\":\"b\"}}') local o = j.g o.f = $1 j.f = $2 call('GET', j.f) call('GET', ARGV[3] == '1' and o.f or j.g.f)",
    "local m, n = cmsgpack.unpack(cmsgpack.pack({ f = 'a' }, { f = 'b' })) m.f = $1 call('GET', n.f == 'b' and $2 or m.f)",
    "local m, n = cmsgpack.unpack(cmsgpack.pack({ f = 'a' }, { f = 'b' })) m.f = $1 call('GET', n.f)",
    "local l, j = {} for i = 1, 2 do j = cjson.decode('{\"f\":\"a\"}') l[i] = j if i == 1 then j.f = $1 end end call('GET', l[tonumber(ARGV[3])] and l[tonumber(ARGV[3])].f or $2)",
    "local function w() if ARGV[3] == '1' then return true, $1 end return false, $2 end local t, k = w() if t then call('GET', k) end",
    "local t = redis.call('TIME') table.insert(t, 1, $1) call('GET', t[1])",
    "local f, l, i = ipairs({ $1, $2 }) while i do local k i, k = f(l, i) if k then call('GET', k) end end",
    "local f, l, i = pairs({ $1, f = $2 }) repeat local k i, k = f(l, i) if k then call('GET', k) end until i == nil",
    "local n = 0 for i, k in function() n = n + 1 if n < 3 then return n, ({ $1, $2 })[n] end end do call('GET', k) end",
    "local _, k, m = (function() if ARGV[3] == '1' then return 1, $1 end return 1 end)() call('GET', k or m or $2)",
    "local function r(n) if n > 0 then return $1, r(n - 1) end end local a, b, c = r(2) call('GET', c or b or $2)",
    "local function r(n) if n > 0 then return $1, r(n - 1) end return $2 end local a, b, c = r(2) call('GET', c)",
    "local function n(...) return select('#', ...) end if n((function() if ARGV[3] == '1' then return 1, 2 end return 1 end)()) == 1 then call('GET', $1) else call('GET', $2) end",
    "for k in function() return nil end do call('GET', $1) end",
    "local k, n = $2, 0 for v in function() n = n + 1 if n < 3 then return $1 end end do k = v end call('GET', k)",
    "table.remove(KEYS)",
    "local k, n, m = $2, 0, 8999999999999999 + 7199254740993 for _ = m, m do call('GET', k) k, n = $1, n + 1 if n > 1 then break end end",
    "local k = $2 pcall(function() local x = (function() k = $1 return nil end)() + 1 k = $2 end) call('GET', k)",
    "local k = $2 pcall(function() if (function() k = $1 return true end)() and $! then k = $2 end k = $2 end) call('GET', k)",
];

/// Commands, what they get at first, and what they get from a list that a loop makes.
const SPREAD: &[(&str, &str)] = &[
    ("'BLMOVE'", "a b LEFT LEFT 0"),
    ("'BLMOVE', $1", "b LEFT LEFT 0"),
    ("'GEOSEARCHSTORE'", "a b FROMLONLAT 0 0 BYRADIUS 10 km"),
    ("'GEOSEARCHSTORE', $1", "b FROMLONLAT 0 0 BYRADIUS 10 km"),
    ("'GEOSEARCH'", "a FROMLONLAT 0 0 BYRADIUS 10 km"),
    ("'GEORADIUS'", "a 0 0 10 km STORE b"),
    ("'SORT', $1", "ALPHA STORE b"),
    ("'XCLAIM'", "a g c 0 1-1"),
    ("'XAUTOCLAIM'", "a g c 0 0"),
    ("'XREADGROUP'", "GROUP g c STREAMS a >"),
    ("'XREAD', 'STREAMS'", "a b 0 0"),
    ("'ZUNIONSTORE', $1, 20", "a b c d e f g h i j k l m n o p q r s t"),
    ("'ZINTERCARD', 6", "a b c d e f"),
    ("'LMPOP', 6", "a b c d e f LEFT"),
    ("'MIGRATE', '127.0.0.1', '1', '', 0, 1, 'KEYS'", "a b"),
    ("'MIGRATE', '127.0.0.1', '1', $1, 0, 1, 'KEYS'", "a b"),
    ("'MSET', $1, 'x'", "a b"),
    ("'DEL', $1", "a b"),
    ("'PFCOUNT'", "a"),
    ("'BITOP', 'AND', $1", "a b"),
];

/// Lists of what the caller may not have passed.
const LISTS: &[&str] = &[
    "{ KEYS[1], KEYS[2] }",
    "{ KEYS[2], KEYS[1], KEYS[3] }",
    "{ KEYS[1], ARGV[1] }",
    "{ ARGV[1], KEYS[1] }",
    "{ 'x', KEYS[2] }",
    "{ KEYS[2], 'x', KEYS[1] }",
    "{ KEYS[1], [2] = KEYS[2] }",
    "{ unpack({ KEYS[1], KEYS[2] }) }",
    "(function(...) return { ... } end)(KEYS[1], KEYS[2])",
    "(function(...) return arg end)(KEYS[1], KEYS[2])",
];

/// Statements that put something behind its last item.
const GROWING: &[&str] = &[
    "t[#t + 1] = KEYS[3]",
    "t[#t + 1] = 'x'",
    "t[#t + 1] = ARGV[1]",
    "t[#t + 1], t[#t + 2] = KEYS[2], KEYS[3]",
    "table.insert(t, KEYS[3])",
    "table.insert(t, 'x')",
    "table.insert(t, ARGV[1])",
    "for i = 1, 2 do t[#t + 1] = ARGV[i] end",
    "for i = 1, #ARGV do table.insert(t, ARGV[i]) end",
    "for _, v in ipairs(ARGV) do t[#t + 1] = v end",
    "if ARGV[3] then t[#t + 1] = ARGV[1] end",
    "t = { t } t[1][#t[1] + 1] = ARGV[1] t = t[1]",
    "local n = #t + 1 t[n] = ARGV[1]",
    "rawset(t, #t + 1, ARGV[1])",
    "table.insert(t, 1, ARGV[1])",
    "table.insert(t, #t, ARGV[1])",
    "t[#t + 1] = ARGV[1] t[2] = KEYS[1]",
    "t[#t + 1] = 'x' t[1] = 'y'",
    "t[#t + 1] = 'x' t[#t + 1] = 'y'",
    "t[#t + 1], t[#t + 2] = KEYS[2], ARGV[1]",
    "t[1 + #t] = ARGV[1]",
    "t[#t + 1] = ARGV[1] t[#t] = nil",
    "t[#t + 1] = ARGV[1] table.sort(t)",
    "t[#t + 1] = ARGV[1] table.remove(t, 1)",
    "t[#t + 1] = ARGV[1] t = { KEYS[1], unpack(t) }",
    "t = { KEYS[3], unpack(t) } t[#t + 1] = ARGV[1]",
    "local function f() t[2] = ARGV[1] return KEYS[1] end t[#t + 1] = f()",
    "local function f() t[1] = KEYS[3] return ARGV[1] end t[#t + 1] = f()",
    "local function f() t[1] = nil return ARGV[1] end t[#t + 1] = f() t[2] = nil table.insert(t, ARGV[2])",
    "local u = t local function f() t = { KEYS[1] } return ARGV[1] end t[#t + 1] = f() t = u",
    "local function add(l, v) l[#l + 1] = v end add(t, ARGV[1]) add(t, KEYS[3])",
    "local function add(l, v) l[#l + 1] = v end local u = { KEYS[2] } add(u, ARGV[1]) add(t, ARGV[1]) t = u",
    "for _ = 1, 4 do while #t < 3 do t[#t + 1] = ARGV[1] or 'x' break end end",
    "for _ = 1, 4 do repeat if t[3] then break end t[#t + 1] = ARGV[1] until true end",
    "for i = 1, 12 do t[#t + 1] = KEYS[i] or 'x' end",
    "if ARGV[3] == '1' then t[#t + 1] = ARGV[1] else t[1] = KEYS[3] end",
    "pcall(function() t[#t + 1] = ARGV[1] error('x') end)",
    "pcall(function() t[#t + 1] = ARGV[1] t[#t + 1] = nil + 1 end)",
    "t[#t + 1] = t[1]",
    "t[#t + 1] = table.remove(t, 1)",
    "t[#t + 1] = ARGV[1] t[#t + 1] = table.remove(t)",
    "t[#t + 1], t[1] = t[1], ARGV[1]",
    "t[#t], t[#t + 1] = ARGV[1], t[#t]",
    "t[#t + 1] = ARGV[1] t = { unpack(t, 2) }",
    "t[#t + 1] = ARGV[1] t = { unpack(t, 1, 2) }",
    "t[#t + 1] = ARGV[1] t = { (function(...) return select(2, ...) end)(unpack(t)) }",
    "t[#t + 1] = ARGV[1] for i = #t, 2, -1 do t[i] = nil end",
    "t[#t + 1] = ARGV[1] for i, v in ipairs(t) do t[i] = v end",
    "t[#t + 1] = ARGV[1] for i = 1, #t do t[i] = t[i + 1] end",
    "t[#t + 1] = ARGV[1] table.insert(t, 2, KEYS[1])",
    "t[#t + 1] = ARGV[1] t[2] = nil t[#t + 1] = KEYS[2]",
    "t[#t + 1] = ARGV[1] t = cjson.decode(cjson.encode(t))",
    "t[#t + 1] = { ARGV[1] } t[#t] = t[#t][1]",
    "t.n = #t + 1 t[t.n] = ARGV[1]",
];

/// Conditions on how many items such a list has.
const LENGTHS: &[&str] = &[
    "#$t < 2",
    "#$t == 1",
    "#$t ~= 3",
    "table.getn($t) < 2",
    "table.maxn($t) < 2",
    "select('#', unpack($t)) < 2",
    "select('#', unpack($t, 1, 2)) < 2",
    "(function(...) return #{ ... } end)(unpack($t)) < 2",
    "(function(...) return select('#', ...) end)(KEYS[1], KEYS[2]) < 2",
    "next($t) == nil",
    "next($t, 1) == nil",
    "$t[2] == nil",
    "not $t[2]",
    "$t[3] == nil",
    "$t[4] == nil",
    "$t[1] == 'x'",
    "not rawget($t, 2)",
    "not KEYS[2]",
    "KEYS[2] == nil",
    "KEYS[2] == KEYS[3]",
    "type($t[2]) == 'nil'",
    "(select(2, unpack($t))) == nil",
    "not pcall(string.len, $t[2])",
    "select('#', (ipairs($t))($t, 1)) == 0",
    "(function() local n = 0 for _ in ipairs($t) do n = n + 1 end return n end)() < 2",
    "(function() local n = 0 for _ in pairs($t) do n = n + 1 end return n end)() < 2",
    "(function() local n = 0 for _ = 1, #$t do n = n + 1 end return n end)() < 2",
    "(function() local n = 0 for _ = #$t, 1, -1 do n = n + 1 end return n end)() < 2",
    "(function() local n = 0 table.foreachi($t, function() n = n + 1 end) return n end)() < 2",
    "(function() local n = 0 while $t[n + 1] do n = n + 1 end return n end)() < 2",
    "(function() local n = 0 repeat n = n + 1 until not $t[n] return n end)() < 3",
];

/// Keys that depend on it.
const BY_LENGTH: &[&str] = &[
    "$t[1]",
    "$t[2]",
    "$t[3]",
    "rawget($t, 2)",
    "(function(...) for i, v in ipairs($t) do if i == 2 then return v end end end)()",
    "(function(...) for i, v in pairs($t) do if i == 2 then return v end end end)()",
    "$t[#$t]",
    "table.remove($t)",
    "(table.remove($t, 1) and $t[1])",
    "({ [0] = ARGV[1], KEYS[1], KEYS[1] })[#$t]",
    "(select(#$t + 1, ARGV[1], KEYS[1], KEYS[1]))",
    "(unpack($t, #$t))",
    "(function() local k = ARGV[1] for _, v in ipairs($t) do k = KEYS[1] end return k end)()",
    "(function() local k = ARGV[1] for i = 1, #$t do k = KEYS[1] end return k end)()",
    "(function() local k = ARGV[1] for i = #$t, 2, -1 do k = KEYS[1] end return k end)()",
    "(function() local k = ARGV[1] for i = 2, #$t, 2 do k = KEYS[1] end return k end)()",
    "(function(a, b) return b or ARGV[1] end)(unpack($t))",
    "(KEYS[2] or ARGV[1])",
    "($t[2] or ARGV[1])",
    "(#$t == 2 and KEYS[1] or ARGV[1])",
    "(function() for i = 1, #$t do if $t[i] then return $t[i] end end end)()",
    "(function() local k table.foreach($t, function(_, v) k = k or v end) return k end)()",
    "(function() local u = {} for i = 1, #$t do u[#u + 1] = $t[i] end return u[1] end)()",
    "(function(...) return (...) end)(unpack($t))",
    "(function(a) return a end)(unpack($t))",
    "(select(2, next($t)))",
    "({ unpack($t) })[1]",
    "({ KEYS[1], unpack($t) })[2]",
];

/// Conditions that the engine always decides the same way, or nearly so.
pub(super) const CONDITIONS: &[&str] = &[
    "redis.pcall()",
    "redis.pcall(nil)",
    "redis.pcall({}).err",
    "redis:pcall('GET', KEYS[1])",
    "pcall(redis.call)",
    "select('#', table.remove({})) == 0",
    "select('#', table.remove({ 1 })) == 1",
    "select('#', next({})) == 1",
    "select('#', next({ 1 })) == 2",
    "select('#', redis.setresp(2)) == 0",
    "select('#', redis.log(redis.LOG_DEBUG, 'x')) == 0",
    "select('#', ('a'):gmatch('.')) == 1",
    "select('#', pcall(error)) == 2",
    "select('#', xpcall(error, function() return 1, 2 end)) == 2",
    "select('#', ipairs({})) == 3",
    "select('#', (ipairs({}))({}, 0)) == 0",
    "select('#', unpack({ 1, nil, 3 })) == 3",
    "select('#', ('abc'):byte(1, -1)) == 3",
    "select('#', ('abc'):match('x')) == 1",
    "select('#x', 1, 2) == 2",
    "string.gfind == string.gmatch",
    "math.mod == math.fmod",
    "next == (pairs({}))",
    "(ipairs({})) == (ipairs({ 1 }))",
    "({ [string.gfind] = 1 })[string.gmatch]",
    "({ [next] = 1 })[(pairs({}))]",
    "rawget(_G, 'print')",
    "rawget(_G, 'debug')",
    "rawget(_G, 'setfenv')",
    "rawget(_G, 'server')",
    "os.time",
    "redis.acl_check_cmd",
    "redis.SERVER_VERSION",
    "redis.REDIS_VERSION_NUM == nil",
    "cjson.empty_array",
    "cjson.decode('[null]')[1]",
    "cjson.null == cjson.decode('[null]')[1]",
    "type(cjson.encode_invalid_numbers()) == 'boolean'",
    "collectgarbage('step')",
    "table.concat({ 'a' }, '', 4294967297) == 'a'",
    "({ k = 'x' })[nil] == nil",
    "({ k = 'x' })[ARGV[9]] == nil",
    "#{ $n, nil, $m } == 3",
    "#{ nil, nil, $n } == 3",
    "table.maxn({ [2.5] = 1 }) == 2.5",
    "table.getn({ 1, 2 }) == 2",
    "rawequal('$t', '$t')",
    "tostring(nil) == 'nil'",
    "type(table.remove({})) == 'nil'",
    "unpack({ 1 }, 2) == nil",
    "bit.tobit($n) == $n",
    "math.huge > $n",
    "0 / 0 == 0 / 0",
    "pcall(function() return $n < '$t' end)",
    "pcall(function() return nil .. '$t' end)",
    "pcall(select, -5, 1)",
    "({ k = 'x' })[ARGV[3] == '1' and 'k' or nil] == nil",
];

impl Writer {
    /// Takes away keys that the caller passed, and looks how many there are.
    pub(super) fn fewer_keys(&mut self) {
        let change = self.chance.pick(&[
            "table.remove(KEYS)",
            "KEYS[tonumber(ARGV[3]) + 1] = nil",
            "KEYS[3] = nil",
            "table.remove(KEYS, 1)",
            "local k = KEYS k[#k] = nil",
            "table.insert(KEYS, 'x')",
        ]);
        let condition = self.chance.pick(&["#KEYS < 3", "#KEYS == 2", "not KEYS[3]", "#KEYS ~= 3"]);
        self.line(change);
        self.line(&format!("if {condition} then call('GET', ARGV[1]) end"));
    }

    /// A list of what the caller may not have passed, and what depends on how long it is.
    pub(super) fn fewer_than_read(&mut self) {
        let list = self.chance.pick(LISTS);
        self.line(&format!("local t = {list}"));
        let grows = self.chance.of(40);
        if grows {
            let growing = self.chance.pick(GROWING);
            self.line(growing);
            if self.chance.of(25) {
                let growing = self.chance.pick(GROWING);
                self.line(&format!("do {growing} end"));
            }
        }
        if self.chance.of(60) {
            let condition = self.chance.pick(LENGTHS);
            self.line(&format!("if {} then call('GET', ARGV[1]) end", condition.replace("$t", "t")));
        } else {
            let key = self.chance.pick(BY_LENGTH);
            self.line(&format!("call('GET', {})", key.replace("$t", "t")));
        }
        if !grows {
            self.line("redis.pcall('DEL', unpack(t))");
        }
    }

    /// Something odd that happens to a table, and nothing around it.
    pub(super) fn one_odd_thing(&mut self) {
        self.line("local t = { [0] = ARGV[1], KEYS[1], f = KEYS[2], KEYS[3] }");
        self.scope.tables.push("t".to_owned());
        self.foreign = 50;
        self.odd();
        self.foreign = 0;
        let key = self.chance.pick(&["t.f", "t[1]", "t[2]", "t[4]", "t.g"]);
        self.line(&format!("call('GET', {key} or KEYS[1])"));
    }

    /// A command that gets a list whose length nothing in the script says.
    pub(super) fn spread(&mut self) {
        let one = self.text(0);
        let (before, words) = self.chance.pick(SPREAD);
        self.line(&format!("local words = {{}} for word in ('{words}'):gmatch('%S+') do words[#words + 1] = word end"));
        self.line(&format!("redis.pcall({}, unpack(words))", before.replace("$1", &one)));
    }

    /// A text, by what few scripts do.
    pub(super) fn odd_text(&mut self, depth: u32) -> String {
        // They may come to stand in a function of their own.
        let vararg = std::mem::take(&mut self.vararg);
        let (one, two) = (self.text(depth), self.text(depth));
        self.vararg = vararg;
        let table = self.table_name().unwrap_or_else(|| format!("({{ [0] = {one}, {two}, {one} }})"));
        let form = self.chance.pick(TEXTS);
        let number = self.chance.pick(&["-1", "0", "1", "2", "1.5", "'1'", "tonumber(ARGV[3])", "-0", "nil"]);
        form.replace("$t", &table).replace("$n", number).replace("$1", &one).replace("$2", &two)
    }

    /// What few scripts do, and what the engine then does all the same.
    pub(super) fn odd(&mut self) {
        let vararg = std::mem::take(&mut self.vararg);
        let (one, two) = (self.text(1), self.text(1));
        let table = self.table_name();
        let fails = self.chance.pick(&["call('INCR', KEYS[1])", "call('GET')", "nil + 1", "call('GET', KEYS[2])"]);
        let form = match &table {
            Some(_) if self.chance.of(60) => self.chance.pick(ON_A_TABLE),
            _ => self.chance.pick(ALONE),
        };
        let line = form.replace("$!", fails).replace("$t", &table.unwrap_or_default());
        self.line(&format!("do {} end", line.replace("$1", &one).replace("$2", &two)));
        self.vararg = vararg;
    }
}
