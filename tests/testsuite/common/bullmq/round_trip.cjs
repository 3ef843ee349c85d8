// Stock BullMQ, one job from end to end, on the server and the queue that the environment names.

const { Queue, Worker } = require("bullmq");

const { EMQ_HOST: host, EMQ_PORT: port, EMQ_QUEUE: name, BULLMQ_PREFIX: prefix } = process.env;
const options = { connection: { host, port: Number(port), maxRetriesPerRequest: null }, ...(prefix && { prefix }) };

async function main() {
  const queue = new Queue(name, options);
  await queue.add("pay", { amount: 4200, currency: "EUR" });
  // Only now: what comes first in a recording is then the same each time.
  const worker = new Worker(name, async (job) => ({ paid: job.data.amount }), options);
  await new Promise((resolve, reject) => {
    worker.on("completed", resolve);
    worker.on("failed", (job, error) => reject(error));
  });
  await worker.close();
  await queue.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
