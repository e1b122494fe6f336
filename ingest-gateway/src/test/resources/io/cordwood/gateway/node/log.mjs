// Logs rows with a logger of Node.js: log.mjs CLIENT ADDRESS TENANT COUNT.
import pino from "pino";
import pinoElasticsearch from "pino-elasticsearch";
import winston from "winston";
import { ElasticsearchTransport } from "winston-elasticsearch";
import LokiTransport from "winston-loki";

const [client, address, tenant, count] = process.argv.slice(2);
const headers = { "X-Scope-OrgID": tenant };
const time = (i) => 1795168000000 + i;
const text = (i) => `line ${i} said "no"\n\tand \\ left, é 日本 \u{1F600}`;
const levels = ["debug", "info", "warn", "error"];
const fields = (i) => ({
  order: i,
  price: i / 4 + 0.125,
  paid: i % 2 === 0,
  user: { name: `Zoë "${i}"`, groups: ["a", i] },
});
const ended = (stream) => new Promise((resolve) => {
  stream.once("close", resolve);
  stream.end();
});

async function logWithPino(stream) {
  let i = 0;
  const timestamp = () => `,"time":${time(i)}`;
  const logger = pino({ level: "debug", base: { service: "checkout" }, timestamp }, stream);
  for (; i < count; i++) {
    logger[levels[i % 4]](fields(i), text(i));
  }
}

async function logWithWinston(transport) {
  const timestamped = winston.format((info) => ({ ...info, timestamp: new Date(time(info.order)).toISOString() }));
  const format = winston.format.combine(timestamped(), winston.format.json());
  const logger = winston.createLogger({ level: "debug", format, transports: [transport] });
  for (let i = 0; i < count; i++) {
    logger.log({ level: levels[i % 4], message: text(i), ...fields(i) });
  }
  return logger;
}

const clients = {
  async "pino-opentelemetry-transport"() {
    const transport = pino.transport({
      target: "pino-opentelemetry-transport",
      options: {
        loggerName: "shop.cart",
        serviceVersion: "1.2",
        resourceAttributes: { "service.name": "checkout" },
        logRecordProcessorOptions: {
          recordProcessorType: "batch",
          exporterOptions: {
            protocol: "http/protobuf",
            protobufExporterOptions: { url: `${address}/v1/logs`, headers },
          },
        },
      },
    });
    await logWithPino(transport);
    await ended(transport);
  },
  async "pino-loki"() {
    const transport = pino.transport({
      target: "pino-loki",
      options: { host: address, headers, labels: { app: "web" }, propsToLabels: ["service"], batching: { interval: 1 } },
    });
    await logWithPino(transport);
    await ended(transport);
  },
  async "pino-elasticsearch"() {
    const stream = pinoElasticsearch({ node: address, index: tenant, esVersion: 8, opType: "create", flushBytes: 20000 });
    stream.on("insertError", (error) => { throw error; });
    const inserted = new Promise((resolve, reject) => stream.once("insert", resolve).once("error", reject));
    await logWithPino(stream);
    stream.end();
    const stats = await inserted;
    if (stats.successful !== Number(count)) {
      throw new Error(JSON.stringify(stats));
    }
  },
  async "winston-elasticsearch"() {
    const transport = new ElasticsearchTransport({
      level: "debug",
      dataStream: true,
      index: "logs-shop-prod",
      clientOpts: { node: address, headers },
    });
    const logger = await logWithWinston(transport);
    const finished = new Promise((resolve) => logger.once("finish", resolve));
    logger.end();
    await finished;
    process.exit();
  },
  async "winston-loki"() {
    const transport = new LokiTransport({
      level: "debug",
      host: address,
      headers,
      labels: { app: "web" },
      format: winston.format.json(),
      replaceTimestamp: false,
      interval: 1,
    });
    await logWithWinston(transport);
    await transport.flush();
    process.exit();
  },
  async "winston-http"() {
    const { hostname, port } = new URL(address);
    const options = { level: "debug", host: hostname, port, path: "/api/v1/ingest/logs", headers, batch: true };
    const transport = new winston.transports.Http({ ...options, batchCount: 50, batchInterval: 500 });
    transport.on("warn", (error) => { throw error; });
    await logWithWinston(transport);
  },
};

// A worker that still sends does not keep the process alive.
const alive = setInterval(() => {}, 1000);
await clients[client]();
clearInterval(alive);
