// An adapter for `emq-conform fleet` on iovalkey: JSON lines in, JSON lines out (emq-adapter/1). A template: put your runtime's
// own calls where this one runs its scripts. It is not EchoMQ's.

import { randomBytes, randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { Valkey } from "iovalkey";

const LEASE_MS = 30_000;

// What differs between the two wires: names of keys, and one script for each step. Every key a script touches is in KEYS.
const WIRES = {
  "emq.1": {
    wire: "echomq:2.0.0",
    newId: () => randomUUID(),
    keys: (base, id) => ({
      add: [`${base}wait`, `${base}${id}`],
      claim: [`${base}wait`, `${base}active`, `${base}${id}`, `${base}${id}:lock`],
      complete: [`${base}active`, `${base}completed`, `${base}${id}`, `${base}${id}:lock`],
    }),
    open: async (db, base, wire) => {
      await db.hsetnx(`${base}meta`, "version", wire);
      return db.hget(`${base}meta`, "version");
    },
    peek: (db, base) => db.lindex(`${base}wait`, -1),
    add: `redis.call('HSET', KEYS[2], 'payload', ARGV[2], 'attempts', 0)
          return redis.call('LPUSH', KEYS[1], ARGV[1])`,
    claim: `if redis.call('LINDEX', KEYS[1], -1) ~= ARGV[1] then return false end
            redis.call('RPOP', KEYS[1])
            redis.call('LPUSH', KEYS[2], ARGV[1])
            redis.call('SET', KEYS[4], ARGV[2], 'PX', ARGV[3])
            return { redis.call('HGET', KEYS[3], 'payload'), redis.call('HINCRBY', KEYS[3], 'attempts', 1) }`,
    token: () => randomUUID(),
    complete: `if redis.call('GET', KEYS[4]) ~= ARGV[2] then return redis.error_reply('LOST the lock of ' .. ARGV[1]) end
               redis.call('LREM', KEYS[1], 1, ARGV[1])
               redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
               redis.call('HSET', KEYS[3], 'result', ARGV[3])
               return redis.call('DEL', KEYS[4])`,
  },
  "echomq-2.x": {
    wire: "echomq:2.4.2",
    newId: () => "JOB" + Array.from(randomBytes(11), (byte) => BASE62[byte % 62]).join(""),
    keys: (base, id) => ({
      add: [`${base}job:${id}`, `${base}pending`],
      claim: [`${base}pending`, `${base}active`, `${base}job:${id}`],
      complete: [`${base}active`, `${base}job:${id}`],
    }),
    open: async (db, _base, wire) => {
      if ((await db.get("{emq}:version")) === null) await db.set("{emq}:version", wire, "NX");
      return db.get("{emq}:version");
    },
    peek: async (db, base) => (await db.zrange(`${base}pending`, 0, 0))[0] ?? null,
    add: `redis.call('HSET', KEYS[1], 'state', 'pending', 'attempts', 0, 'payload', ARGV[2])
          return redis.call('ZADD', KEYS[2], 0, ARGV[1])`,
    claim: `if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return false end
            local now = redis.call('TIME')
            redis.call('ZADD', KEYS[2], now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[3], ARGV[1])
            redis.call('HSET', KEYS[3], 'state', 'active')
            return { redis.call('HGET', KEYS[3], 'payload'), redis.call('HINCRBY', KEYS[3], 'attempts', 1) }`,
    token: (attempts) => String(attempts),
    complete: `if redis.call('HGET', KEYS[2], 'attempts') ~= ARGV[2] then return redis.error_reply('EMQSTALE ' .. ARGV[1]) end
               redis.call('ZREM', KEYS[1], ARGV[1])
               return redis.call('DEL', KEYS[2])`,
  },
};
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

class Refusal extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

let wire;
let db;
const opened = new Set();
const tokens = new Map();

// `data` is the last field of its request: its text is what stands between the name and the last brace. JSON.parse would
// change numbers that no double holds, so a payload is never parsed here.
const rawText = (line, field) => line.slice(line.indexOf(`"${field}":`) + field.length + 3, line.lastIndexOf("}"));

async function base(queue) {
  const prefix = `emq:{${queue}}:`;
  if (!opened.has(queue)) {
    const version = await wire.open(db, prefix, wire.wire);
    if (version !== wire.wire) throw new Refusal("definite", `the queue states version ${version}`);
    opened.add(queue);
  }
  return prefix;
}

const run = (script, keys, ...args) => db.eval(script, keys.length, ...keys, ...args);

const operations = {
  async hello({ protocol, url, profile, client_name: connectionName }) {
    if (protocol !== "emq-adapter/1") throw new Refusal("not-supported", "this adapter speaks emq-adapter/1");
    wire = WIRES[profile];
    if (!wire) throw new Refusal("not-supported", `no profile ${profile} here`);
    db = new Valkey(url.replace(/^valkey/, "redis"), {
      connectionName,
      // A password that the URL does not have comes by the environment.
      ...(process.env.EMQ_PASSWORD ? { password: process.env.EMQ_PASSWORD } : {}),
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    });
    db.on("error", (error) => console.error(error.message));
    await db.connect();
    return `{"runtime":"Node adapter on iovalkey (the probe's own fixture)","version":"1.0.0","wire":"${wire.wire}","roles":["producer","consumer"]}`;
  },
  async add({ queue }, line) {
    const prefix = await base(queue);
    const id = wire.newId();
    await run(wire.add, wire.keys(prefix, id).add, id, rawText(line, "data"));
    return `{"job_id":${JSON.stringify(id)}}`;
  },
  async take({ queue }) {
    const prefix = await base(queue);
    for (;;) {
      // The id first, so that the job's keys can be declared; somebody else may take the job in between.
      const id = await wire.peek(db, prefix);
      if (id === null) return `{"job":null}`;
      const own = randomUUID();
      const claimed = await run(wire.claim, wire.keys(prefix, id).claim, id, own, LEASE_MS);
      if (claimed === null) continue;
      const [payload, attempts] = claimed;
      if (payload === null) throw new Refusal("definite", `the row of job ${id} has no payload`);
      tokens.set(`${queue} ${id}`, wire === WIRES["emq.1"] ? own : String(attempts));
      return `{"job":{"job_id":${JSON.stringify(id)},"name":null,"attempt":${attempts},"data":${payload}}}`;
    }
  },
  async complete({ queue, job_id: id }, line) {
    const token = tokens.get(`${queue} ${id}`);
    if (token === undefined) throw new Refusal("definite", `job ${id} is not held here`);
    const keys = wire.keys(await base(queue), id).complete;
    await run(wire.complete, keys, id, token, rawText(line, "result"), Date.now());
    tokens.delete(`${queue} ${id}`);
    return "{}";
  },
  async bye() {
    if (db) await db.quit();
    return "{}";
  },
};

async function answer(line) {
  const request = JSON.parse(line);
  const operation = Object.hasOwn(operations, request.op) ? operations[request.op] : undefined;
  try {
    if (!operation) throw new Refusal("not-supported", `no such request: ${request.op}`);
    return [request, `{"id":${request.id},"ok":${await operation(request, line)}}`];
  } catch (error) {
    // The server's own refusal is definite; of a broken connection nobody knows what the server did.
    const kind = error.kind ?? (error.name === "ReplyError" ? "definite" : "indefinite");
    return [request, JSON.stringify({ id: request.id, error: { kind, message: error.message } })];
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const [request, text] = await answer(line);
  process.stdout.write(text + "\n");
  if (request.op === "bye") break;
}
process.stdin.destroy();
