//! The names that the engine gives to its functions and values, as data.

/// Every function that a script can reach, by its library; a test holds the list against real servers.
pub(super) const LIBRARIES: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "__redis__err__handler",
            "__server__err__handler",
            "assert",
            "collectgarbage",
            "error",
            "gcinfo",
            "getfenv",
            "getmetatable",
            "ipairs",
            "load",
            "loadstring",
            "newproxy",
            "next",
            "pairs",
            "pcall",
            "print",
            "rawequal",
            "rawget",
            "rawset",
            "select",
            "setfenv",
            "setmetatable",
            "tonumber",
            "tostring",
            "type",
            "unpack",
            "xpcall",
        ],
    ),
    ("bit", &["arshift", "band", "bnot", "bor", "bswap", "bxor", "lshift", "rol", "ror", "rshift", "tobit", "tohex"]),
    (
        "cjson",
        &[
            "decode",
            "decode_array_with_array_mt",
            "decode_invalid_numbers",
            "decode_max_depth",
            "encode",
            "encode_invalid_numbers",
            "encode_keep_buffer",
            "encode_max_depth",
            "encode_number_precision",
            "encode_sparse_array",
            "new",
        ],
    ),
    ("cmsgpack", &["pack", "unpack", "unpack_limit", "unpack_one"]),
    ("coroutine", &["create", "resume", "running", "status", "wrap", "yield"]),
    (
        "debug",
        &[
            "debug",
            "getfenv",
            "gethook",
            "getinfo",
            "getlocal",
            "getmetatable",
            "getregistry",
            "getupvalue",
            "setfenv",
            "sethook",
            "setlocal",
            "setmetatable",
            "setupvalue",
            "traceback",
        ],
    ),
    (
        "math",
        &[
            "abs",
            "acos",
            "asin",
            "atan",
            "atan2",
            "ceil",
            "cos",
            "cosh",
            "deg",
            "exp",
            "floor",
            "fmod",
            "frexp",
            "ldexp",
            "log",
            "log10",
            "max",
            "min",
            "mod",
            "modf",
            "pow",
            "rad",
            "random",
            "randomseed",
            "sin",
            "sinh",
            "sqrt",
            "tan",
            "tanh",
        ],
    ),
    ("os", &["clock", "time", "date", "difftime"]),
    (
        "redis",
        &[
            "acl_check_cmd",
            "breakpoint",
            "call",
            "debug",
            "error_reply",
            "log",
            "pcall",
            "register_function",
            "replicate_commands",
            "set_repl",
            "setresp",
            "sha1hex",
            "status_reply",
        ],
    ),
    (
        "string",
        &[
            "byte", "char", "dump", "find", "format", "gfind", "gmatch", "gsub", "len", "lower", "match", "rep",
            "reverse", "sub", "upper",
        ],
    ),
    ("struct", &["pack", "size", "unpack"]),
    ("table", &["concat", "foreach", "foreachi", "getn", "insert", "maxn", "remove", "setn", "sort"]),
    // What `ipairs` and `pairs` give, under names that no script can say.
    ("(", &["inext", "next"]),
];

/// Names that not every engine from Redis 6.2 to Valkey 9.1 has, or not in scripts and functions alike; a library without
/// names is one that scripts do not have at all.
pub(super) const NOT_EVERYWHERE: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "__redis__err__handler",
            "__server__err__handler",
            "collectgarbage",
            "gcinfo",
            "getfenv",
            "load",
            "loadstring",
            "newproxy",
            "print",
            "server",
            "setfenv",
        ],
    ),
    ("cjson", &["decode_array_with_array_mt", "array_mt", "empty_array", "empty_array_mt"]),
    ("debug", &[]),
    ("os", &["date", "difftime", "time"]),
    (
        "redis",
        &[
            "REDIS_VERSION",
            "REDIS_VERSION_NUM",
            "SERVER_NAME",
            "SERVER_VERSION",
            "SERVER_VERSION_NUM",
            "VALKEY_VERSION",
            "VALKEY_VERSION_NUM",
            "acl_check_cmd",
            "breakpoint",
            "debug",
            "register_function",
            "replicate_commands",
        ],
    ),
];

/// Second names of functions.
pub(super) const SAME: &[(&str, &str, &str)] =
    &[("", "__server__err__handler", "__redis__err__handler"), ("math", "mod", "fmod"), ("string", "gfind", "gmatch")];

/// Values of the engine's that are no functions.
pub(super) const CONSTANTS: &[(&str, &[&str])] = &[
    (
        "redis",
        &[
            "LOG_DEBUG",
            "LOG_NOTICE",
            "LOG_VERBOSE",
            "LOG_WARNING",
            "REPL_ALL",
            "REPL_AOF",
            "REPL_NONE",
            "REPL_REPLICA",
            "REPL_SLAVE",
            "REDIS_VERSION",
            "REDIS_VERSION_NUM",
            "SERVER_NAME",
            "SERVER_VERSION",
            "SERVER_VERSION_NUM",
            "VALKEY_VERSION",
            "VALKEY_VERSION_NUM",
        ],
    ),
    ("math", &["huge", "pi"]),
    ("cjson", &["null", "_NAME", "_VERSION"]),
    ("cmsgpack", &["_NAME", "_VERSION", "_COPYRIGHT", "_DESCRIPTION"]),
];

/// Values of the engine's that may be tables: what is written into some of them changes how others are read.
pub(super) const TABLES: &[(&str, &[&str])] = &[("cjson", &["array_mt", "empty_array", "empty_array_mt"])];

/// Every function that a script finds, by its library.
pub(in crate::core::lua) fn known_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let reachable = LIBRARIES.iter().filter(|(library, _)| *library != "(");
    reachable.flat_map(|(library, names)| names.iter().map(move |name| (*library, *name)))
}

/// The function of a number, and its library.
pub(super) fn numbered(number: u16) -> Option<(&'static str, &'static str)> {
    let all = LIBRARIES.iter().flat_map(|(library, names)| names.iter().map(move |name| (*library, *name)));
    all.into_iter().nth(usize::from(number))
}
