// Stock BullMQ behind emq-adapter/1. The adapter is the probe's own fixture; the keys that it uses are BullMQ's.

const { createInterface } = require("node:readline");
const { randomUUID } = require("node:crypto");
const { Queue, Worker } = require("bullmq");
const { version } = require("bullmq/package.json");

const token = randomUUID();
let connection;
const queues = new Map();
const workers = new Map();
const jobs = new Map();

const of = (known, name, make) => known.get(name) ?? known.set(name, make()).get(name);
const queue = (name) => of(queues, name, () => new Queue(name, { connection }));
const worker = (name) => of(workers, name, () => new Worker(name, null, { connection, autorun: false }));

const operations = {
  async hello({ url }) {
    const { hostname: host, port } = new URL(url.replace(/^valkey/, "redis"));
    connection = { host, port: Number(port), maxRetriesPerRequest: null };
    return { runtime: "stock BullMQ, through an adapter of the probe's own", version, wire: `bullmq:${version}`, roles: ["producer", "consumer"] };
  },
  async add({ queue: name, name: job, data }) {
    return { job_id: (await queue(name).add(job, data)).id };
  },
  async take({ queue: name }) {
    const job = await worker(name).getNextJob(token, { block: false });
    if (!job) return { job: null };
    jobs.set(job.id, job);
    return { job: { job_id: job.id, name: job.name, data: job.data, attempt: job.attemptsMade + 1 } };
  },
  async complete({ job_id: id, result }) {
    await jobs.get(id).moveToCompleted(result, token, false);
    return {};
  },
  async bye() {
    await Promise.all([...workers.values(), ...queues.values()].map((one) => one.close()));
    return {};
  },
};

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, op, ...request } = JSON.parse(line);
    let answer;
    try {
      answer = operations[op]
        ? { id, ok: await operations[op](request) }
        : { id, error: { kind: "not-supported", message: `no such request: ${op}` } };
    } catch (error) {
      answer = { id, error: { kind: "definite", message: String(error.message ?? error) } };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
    if (op === "bye") process.exit(0);
  }
}

main();
