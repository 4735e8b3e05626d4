import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * Does the load generator of these benchmarks find what autocannon finds? Both send the same requests to the
 * same server, in turns. The server counts its answers too, and a round is void when a generator's count
 * differs. `AUTOCANNON` is the path of autocannon's script; without it, npx fetches the version named here.
 */
const rounds = Number(process.env['ROUNDS'] ?? 9);
const seconds = Number(process.env['SECONDS'] ?? 3);
const connections = 64;
const autocannon = 'autocannon@8.0.0';
const command: readonly string[] =
  process.env['AUTOCANNON'] === undefined
    ? ['npx', '--yes', autocannon]
    : [process.execPath, process.env['AUTOCANNON']];

const script = fileURLToPath(new URL('./ingest/discard-server.js', import.meta.url));
const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => server.kill('SIGKILL'));
const [line] = (await once(server.stdout, 'data')) as [Buffer];
const port = Number(line);

const body = JSON.stringify({
  locs: Array.from({ length: 10 }, (_, i) => [57.7 + i / 12_345, 11.97 + i / 12_345, 1_790_000_000_000 + i]),
});
const type = 'application/json';
const requests = {
  GET: { path: '/constant', head: '', body: '' },
  POST: {
    path: '/v1/locations',
    head: `content-type: ${type}\r\ncontent-length: ${body.length}\r\n`,
    body,
  },
} as const;
type Method = keyof typeof requests;
const run = promisify(execFile);

/** The server's own count of answers. */
async function answeredByServer(): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/answered`)).text());
}

/** Answers with 2xx, as the generator counts them. */
const senders = {
  async ours(method: Method): Promise<number> {
    const { path, head, body: sent } = requests[method];
    const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n${sent}`);
    const { answers } = await closedLoop({ port, connections, seconds, nextRequest: () => bytes });
    return [...answers].reduce((sum, [status, count]) => (status < 300 ? sum + count : sum), 0);
  },
  async autocannon(method: Method): Promise<number> {
    const { path, body: sent } = requests[method];
    const [file, ...args] = command;
    const options = ['--json', '-n', '-c', String(connections), '-d', String(seconds), '-m', method];
    const post = sent === '' ? [] : ['-b', sent, '-H', `content-type=${type}`];
    const url = `http://127.0.0.1:${port}${path}`;
    const { stdout } = await run(file!, [...args, ...options, ...post, url], { maxBuffer: 2 ** 24 });
    return (JSON.parse(stdout) as { '2xx': number })['2xx'];
  },
};
type Sender = keyof typeof senders;

async function measure(sender: Sender, method: Method) {
  const countBefore = await answeredByServer();
  const before = processCpuSeconds(server.pid!);
  const answered = await senders[sender](method);
  const cpu = processCpuSeconds(server.pid!) - before;
  const uncounted = (await answeredByServer()) - countBefore - answered;
  // A generator may stop while one request of each connection is in flight, and may count nothing twice.
  if (answered === 0 || uncounted < 0 || uncounted > connections)
    throw new Error(
      `void: ${sender} counts ${answered} answers to ${method}, ${uncounted} less than the server`,
    );
  return { perSecond: answered / seconds, cpuMicros: (cpu * 1e6) / answered };
}

const figures = { GET: newFigures(), POST: newFigures() };

function newFigures() {
  return { ours: newRow(), autocannon: newRow(), cpuOursOverAutocannon: [] as number[] };
}
function newRow() {
  return { perSecond: [] as number[], cpuMicros: [] as number[] };
}

// The first round is a warm-up and does not count.
for (let round = -1; round < rounds; round++) {
  for (const method of ['GET', 'POST'] as const) {
    const order: readonly Sender[] = round % 2 === 0 ? ['ours', 'autocannon'] : ['autocannon', 'ours'];
    const cpu = { ours: 0, autocannon: 0 };
    for (const sender of order) {
      const { perSecond, cpuMicros } = await measure(sender, method);
      cpu[sender] = cpuMicros;
      if (round < 0) continue;
      figures[method][sender].perSecond.push(perSecond);
      figures[method][sender].cpuMicros.push(cpuMicros);
    }
    if (round >= 0) figures[method].cpuOursOverAutocannon.push(cpu.ours / cpu.autocannon);
  }
}

const rowOf = ({ perSecond, cpuMicros }: ReturnType<typeof newRow>) => ({
  perSecond: spread(perSecond),
  serverCpuMicros: spread(cpuMicros),
});
const result = Object.fromEntries(
  Object.entries(figures).map(([method, { ours, autocannon: peer, cpuOursOverAutocannon }]) => [
    method,
    {
      ours: rowOf(ours),
      autocannon: rowOf(peer),
      serverCpuOursOverAutocannon: spread(cpuOursOverAutocannon),
    },
  ]),
);
console.log(JSON.stringify(result, null, 2));
appendResult('load-generator', { peer: autocannon, rounds, seconds, connections, ...result });
server.kill();
