//! The packages whose scripts are looked at, each with where its scripts are. None of their code is in this repository.

/// Where a package comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registry {
    Npm,
    Pypi,
}

/// How its scripts are found, by paths in the package.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scripts {
    /// Files that end in `.lua`, in this folder.
    Folder(&'static str),
    /// Modules of JavaScript, in this folder, with one script each.
    Modules(&'static str),
    /// A module that puts scripts together, and their names.
    Payloads(&'static str, &'static str),
    /// Text within these files.
    Within(&'static [&'static str]),
}

/// A package at one version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Package {
    pub(crate) registry: Registry,
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) licence: &'static str,
    pub(crate) scripts: Scripts,
}

const fn npm(name: &'static str, version: &'static str, licence: &'static str, scripts: Scripts) -> Package {
    Package { registry: Registry::Npm, name, version, licence, scripts }
}

const fn pypi(name: &'static str, version: &'static str, licence: &'static str, scripts: Scripts) -> Package {
    Package { registry: Registry::Pypi, name, version, licence, scripts }
}

/// The one that has a table of its own.
pub(crate) const BULLMQ: Package = npm("bullmq", "5.65.1", "MIT", Scripts::Modules("dist/cjs/scripts"));

/// All of them.
pub(crate) const PACKAGES: [Package; 29] = [
    BULLMQ,
    npm("@fastify/rate-limit", "11.2.0", "MIT", Scripts::Within(&["store/RedisStore.js"])),
    npm("@upstash/ratelimit", "2.2.0", "MIT", Scripts::Within(&["dist/index.js"])),
    npm("bee-queue", "2.0.0", "MIT", Scripts::Folder("lib/lua")),
    npm(
        "bottleneck",
        "2.19.5",
        "MIT",
        Scripts::Payloads(
            "lib/Scripts.js",
            "init,group_check,register_client,blacklist_client,heartbeat,update_settings,running,queued,done,check,submit,\
             register,free,current_reservoir,increment_reservoir",
        ),
    ),
    npm("bull", "4.16.5", "MIT", Scripts::Modules("lib/scripts")),
    npm("groupmq", "1.1.0", "MIT", Scripts::Folder("dist/lua")),
    npm("node-resque", "9.7.1", "Apache-2.0", Scripts::Folder("lua")),
    npm("rate-limit-redis", "6.0.1", "MIT", Scripts::Within(&["dist/index.cjs"])),
    npm("rate-limiter-flexible", "11.4.0", "ISC", Scripts::Within(&["lib/RateLimiterRedis.js"])),
    npm(
        "redis-semaphore",
        "5.8.0",
        "MIT",
        Scripts::Within(&[
            "lib/mutex/refresh.js",
            "lib/mutex/release.js",
            "lib/semaphore/acquire/lua.js",
            "lib/semaphore/refresh/lua.js",
            "lib/multiSemaphore/acquire/lua.js",
            "lib/multiSemaphore/refresh/lua.js",
            "lib/multiSemaphore/release/lua.js",
        ]),
    ),
    npm("redis-smq", "8.3.1", "MIT", Scripts::Folder("dist/cjs/src/common/redis-client/scripts/lua")),
    npm("redlock", "4.2.0", "MIT", Scripts::Within(&["redlock.js"])),
    npm("rsmq", "0.12.4", "MIT", Scripts::Within(&["index.js"])),
    npm("simple-redis-mutex", "3.0.0", "ISC", Scripts::Within(&["dist/index.js"])),
    pypi("aiocache", "0.12.3", "BSD-3-Clause", Scripts::Within(&["aiocache/backends/redis.py"])),
    pypi("dramatiq", "2.2.1", "LGPL-3.0-or-later", Scripts::Folder("dramatiq/brokers/redis")),
    pypi("huey", "3.5.4", "MIT", Scripts::Within(&["huey/storage.py", "huey/contrib/helpers.py"])),
    pypi("limits", "5.8.0", "MIT", Scripts::Folder("limits/resources/redis/lua_scripts")),
    pypi("pottery", "3.0.1", "Apache-2.0", Scripts::Within(&["pottery/redlock.py", "pottery/nextid.py"])),
    pypi("pyrate-limiter", "4.5.1", "MIT", Scripts::Within(&["pyrate_limiter/buckets/redis_bucket.py"])),
    pypi("python-redis-lock", "4.0.1", "BSD-2-Clause", Scripts::Within(&["redis_lock/__init__.py"])),
    pypi("redis", "8.1.0", "MIT", Scripts::Within(&["redis/lock.py"])),
    pypi("redis-rate-limiters", "0.5.0", "BSD-4-Clause", Scripts::Folder("limiters")),
    pypi("rq", "3.0.0", "BSD-2-Clause", Scripts::Within(&["rq/scripts.py", "rq/queue.py", "rq/rate_limit.py"])),
    pypi("saq", "0.26.4", "MIT", Scripts::Within(&["saq/queue/redis.py"])),
    pypi("streaq", "7.2.0", "MIT", Scripts::Folder("streaq/lua")),
    pypi("throttled-py", "3.5.0", "MIT", Scripts::Folder("throttled/rate_limiter/lua")),
    pypi("walrus", "0.9.8", "MIT", Scripts::Folder("walrus/scripts")),
];
