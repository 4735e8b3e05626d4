import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { appendResult, spread } from './append-result.js';
import {
  emptyHotels,
  functions,
  hotels,
  makeHotelDatabase,
  proveHotels,
  stay,
} from './hotel/hotel-database.js';
import { pgbench } from './hotel/pgbench.js';
import { closedLoop } from './ingest/closed-loop.js';
import { Missing } from './missing.js';

/**
 * How many reservations a second does one hot hotel take over HTTP, beside the best that pgbench gets out of
 * a hand-written function on the same tables? On a real PostgreSQL with synchronous_commit=on, in turns;
 * after each measurement everything is counted again.
 */
const address = process.env['SQL'];
if (address === undefined || !address.startsWith('postgres')) {
  throw new Missing('Set SQL to a PostgreSQL server: infra/up postgres; set -a; . data/infra/env; set +a');
}
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 4);
const connections = Number(process.env['CONNECTIONS'] ?? 128);
const database = await makeHotelDatabase(address);

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  readonly tokens: readonly string[];
}

async function startServer(options: object): Promise<Server> {
  const script = fileURLToPath(new URL('./hotel/reservation-server.js', import.meta.url));
  const child = spawn(process.execPath, [script, database.address, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { port: number; tokens: string[] }) };
}

const single = await startServer({ batchMax: 1 });
const batched = await startServer({});
let turn = 0;
let shed = 0;

async function overHttp(server: Server, hotelOf: (turn: number) => string): Promise<number> {
  await emptyHotels(database.sql);
  const nextRequest = () => {
    turn += 1;
    const body = `{"reservationID":"${randomUUID()}","hotelID":"${hotelOf(turn)}","roomTypeID":"double","startDate":"${stay.startDate}","endDate":"${stay.endDate}","roomCount":"1"}`;
    return Buffer.from(
      `POST /v1/reservations HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${server.tokens[turn % server.tokens.length]}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  };
  const { answers, seconds: wall } = await closedLoop({
    port: server.port,
    connections,
    seconds,
    nextRequest,
  });
  const made = answers.get(201) ?? 0;
  // A shed request is an answer too; any other failure voids the run.
  shed += answers.get(503) ?? 0;
  if (made === 0 || [...answers].some(([status]) => status !== 201 && status !== 503)) {
    throw new Error(`void: answers by status ${JSON.stringify([...answers])}`);
  }
  await proveHotels(database.sql, made);
  return made / wall;
}

async function runFunction(name: string, clients: number): Promise<number> {
  await emptyHotels(database.sql);
  const script = `\\set u random(1, 1000)\nSELECT ${name}('h1', 'guest-' || :u);\n`;
  const { perSecond, transactions } = pgbench(database.address, script, { clients, seconds });
  await proveHotels(database.sql, transactions);
  return perSecond;
}

const hot = () => 'h1';
const anyHotel = (n: number) => `h${1 + ((n * 7919) % hotels)}`;
// Which function on how many connections is best is found once; the warm-up of ours is not counted either.
const tried: Array<{ readonly name: string; readonly clients: number; readonly perSecond: number }> = [];
for (const name of functions) {
  for (const clients of [1, 2, 8, 32]) {
    tried.push({ name, clients, perSecond: await runFunction(name, clients) });
  }
}
const best = tried.toSorted((a, b) => b.perSecond - a.perSecond)[0]!;
for (const { name, clients, perSecond } of tried) {
  console.error(`${name}, ${clients} connections: ${Math.round(perSecond)} reservations/s`);
}
// A server that has just started uses three times the CPU of a server with compiled code, which takes some
// thousand reservations.
for (let warming = 0; warming < 4; warming += 1) {
  await overHttp(batched, hot);
  await overHttp(single, hot);
}

const figures = {
  function: [] as number[],
  single: [] as number[],
  batched: [] as number[],
  spread: [] as number[],
};
for (let round = 1; round <= rounds; round += 1) {
  figures.function.push(await runFunction(best.name, best.clients));
  figures.single.push(await overHttp(single, hot));
  figures.batched.push(await overHttp(batched, hot));
  figures.spread.push(await overHttp(batched, anyHotel));
  const last = Object.entries(figures).map(([name, values]) => `${name} ${Math.round(values.at(-1)!)}`);
  console.error(`round ${round}: ${last.join(', ')} reservations/s`);
}
const ratio = (above: readonly number[], below: readonly number[]) =>
  spread(above.map((value, round) => value / below[round]!));
const result = {
  connections,
  bestFunction: best.name,
  bestFunctionConnections: best.clients,
  shed,
  reservationsPerSecond: {
    function: spread(figures.function),
    single: spread(figures.single),
    batched: spread(figures.batched),
    spreadOverHotels: spread(figures.spread),
  },
  singleOverFunction: ratio(figures.single, figures.function),
  batchedOverFunction: ratio(figures.batched, figures.function),
  hotOverSpread: ratio(figures.batched, figures.spread),
};
single.child.kill();
batched.child.kill();
await database.sql.close();
console.log(JSON.stringify(result, undefined, 2));
appendResult('hotel-reservations', result);
