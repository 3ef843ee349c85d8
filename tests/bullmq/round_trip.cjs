// Stock BullMQ, one job from end to end, on the server and the queue that the environment names.

const { Queue, Worker } = require("bullmq");

const { EMQ_HOST: host, EMQ_PORT: port, EMQ_QUEUE: name, BULLMQ_PREFIX: prefix } = process.env;
const options = { connection: { host, port: Number(port), maxRetriesPerRequest: null }, ...(prefix && { prefix }) };

async function main() {
  const queue = new Queue(name, options);
  const worker = new Worker(name, async (job) => ({ paid: job.data.amount }), options);
  const completed = new Promise((resolve, reject) => {
    worker.on("completed", resolve);
    worker.on("failed", (job, error) => reject(error));
  });
  await queue.add("pay", { amount: 4200, currency: "EUR" });
  await completed;
  await worker.close();
  await queue.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
