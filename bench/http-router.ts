import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import FindMyWay from 'find-my-way';
import { RouteTable } from '#platform/http/route-table.js';
import { routeContracts } from '#schemas/http/routes.js';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * What does it cost to find the operation of a request, beside find-my-way (the router of Fastify) in this process and beside the
 * router inside uWebSockets.js? The table is the whole contract; each operation is asked for equally often. The native router
 * cannot be called without a request, so two servers answer 204 and differ in the router alone. The older binding has no
 * parameters in paths; there the comparison is left out.
 */
const rounds = Number(process.env['ROUNDS'] ?? 9);
const lookups = Number(process.env['LOOKUPS'] ?? 400_000);
const seconds = Number(process.env['SECONDS'] ?? 2);

const asked = routeContracts.map(({ method, path }) => ({
  method,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.length === 1 ? '12' : 'gc7x9r4k')),
}));

const ours = new RouteTable<string>();
const theirs = FindMyWay({ caseSensitive: true });
for (const { method, path } of routeContracts) {
  ours.add(method, path, `${method} ${path}`);
  theirs.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, `${method} ${path}`);
}
for (const [at, { method, path }] of asked.entries()) {
  const wanted = `${routeContracts[at]!.method} ${routeContracts[at]!.path}`;
  const found = ours.find(method, path);
  if (found?.found !== true || found.entry !== wanted) throw new Error(`void: ours does not find ${wanted}`);
  if (theirs.find(method, path)?.store !== wanted)
    console.error(`find-my-way answers ${path} with ${theirs.find(method, path)?.store}, not ${wanted}`);
}

const finders = {
  ours: (method: string, path: string) => ours.find(method, path)?.found === true,
  findMyWay: (method: string, path: string) => theirs.find(method as 'GET', path) !== null,
};

function nanosecondsPerLookup(find: (method: string, path: string) => boolean): number {
  const before = process.cpuUsage();
  let found = 0;
  for (let at = 0; at < lookups; at++) {
    const { method, path } = asked[at % asked.length]!;
    if (find(method, path)) found += 1;
  }
  const { user, system } = process.cpuUsage(before);
  if (found !== lookups) throw new Error(`void: ${lookups - found} paths were not found`);
  return ((user + system) * 1_000) / lookups;
}

interface Server {
  readonly pid: number;
  readonly port: number;
}

async function start(router: 'ours' | 'native'): Promise<Server> {
  const script = fileURLToPath(new URL('./http/router-server.js', import.meta.url));
  const child = spawn(process.execPath, [script, router], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { pid: child.pid!, port: Number(line) };
}

const requests = asked.map(({ method, path }) =>
  Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
);
let turn = 0;

async function microsecondsPerRequest({ pid, port }: Server): Promise<number> {
  const before = processCpuSeconds(pid);
  const { answers } = await closedLoop({
    port,
    connections: 64,
    seconds,
    nextRequest: () => requests[turn++ % requests.length]!,
  });
  const good = answers.get(204) ?? 0;
  if (answers.size !== 1) throw new Error(`void: answers by status ${JSON.stringify([...answers])}`);
  return ((processCpuSeconds(pid) - before) * 1e6) / good;
}

async function servesAll({ port }: Server): Promise<boolean> {
  for (const { method, path } of asked) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method }).catch(() => undefined);
    if (answer?.status !== 204) return false;
  }
  return true;
}

const servers = { ours: await start('ours'), native: await start('native') };
const hasNative = await servesAll(servers.native);
if (!hasNative) console.error('the router of this binding does not find paths with parameters');
const found = { ours: [] as number[], findMyWay: [] as number[] };
const served = { ours: [] as number[], native: [] as number[] };
// The first round warms all of them and is not counted.
for (let round = 0; round <= rounds; round++) {
  const figures = {
    ours: nanosecondsPerLookup(finders.ours),
    findMyWay: nanosecondsPerLookup(finders.findMyWay),
  };
  const onWire = {
    ours: await microsecondsPerRequest(servers.ours),
    native: hasNative ? await microsecondsPerRequest(servers.native) : Number.NaN,
  };
  console.error(
    `round ${round}: a look-up takes ${figures.ours.toFixed(0)} ns, find-my-way ${figures.findMyWay.toFixed(0)} ns; ` +
      `a request ${onWire.ours.toFixed(2)} us, with the native router ${onWire.native.toFixed(2)} us`,
  );
  if (round === 0) continue;
  for (const name of ['ours', 'findMyWay'] as const) found[name].push(figures[name]);
  for (const name of ['ours', 'native'] as const) served[name].push(onWire[name]);
}

const result = {
  operations: routeContracts.length,
  nanosecondsPerLookup: { ours: spread(found.ours), findMyWay: spread(found.findMyWay) },
  lookupOursOverFindMyWay: spread(found.ours.map((value, at) => value / found.findMyWay[at]!)),
  ...(hasNative && {
    microsecondsPerRequest: { ours: spread(served.ours), native: spread(served.native) },
    requestOursOverNative: spread(served.ours.map((value, at) => value / served.native[at]!)),
  }),
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('http-router', result);
process.exit(0);
