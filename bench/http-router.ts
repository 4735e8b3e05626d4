import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import FindMyWay from 'find-my-way';
import { decodeComponent } from '#platform/http/server/parse-query.js';
import { RouteTable } from '#platform/http/server/route-table.js';
import { routeContracts } from '#schemas/http/routes.js';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * What does it cost to find the operation of a request, beside find-my-way (the router of Fastify) in this
 * process and beside the router inside uWebSockets.js? The table is the whole contract; each operation is
 * requested equally often. The native router cannot be called without a request, so two servers answer 204
 * and differ in the router alone. The older binding has no parameters in paths; there the comparison is left
 * out.
 *
 * find-my-way decodes escapes in the fixed parts of a path, cuts the path at `#`, and lets parameters be
 * empty. `sameRules` is find-my-way made to hold the rules of the table: nothing of a path is normalised.
 */
const rounds = Number(process.env['ROUNDS'] ?? 9);
const lookups = Number(process.env['LOOKUPS'] ?? 400_000);
const seconds = Number(process.env['SECONDS'] ?? 2);

const asked = routeContracts.map(({ method, path }) => ({
  method,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.length === 1 ? '12' : 'gc7x9r4k')),
}));

const ours = new RouteTable<string>();
const theirs = FindMyWay({ caseSensitive: true, maxParamLength: 2_048 });
const byPath = FindMyWay({ caseSensitive: true, maxParamLength: 2_048 });
const methodsOf = new Map<string, Map<string, string>>();
for (const { method, path } of routeContracts) {
  const operation = `${method} ${path}`;
  const theirPath = path.replaceAll(/\{(\w+)\}/g, ':$1');
  ours.add(method, path, operation);
  theirs.on(method, theirPath, () => undefined, operation);
  const known = methodsOf.get(path);
  const methods = known ?? new Map<string, string>();
  if (known === undefined) byPath.on('GET', theirPath, () => undefined, methods);
  methodsOf.set(path, methods.set(method, operation));
}

function sameRules(method: string, path: string): string | undefined {
  const escaped = /[%#]/.test(path) ? path.replaceAll('%', '%25').replaceAll('#', '%23') : path;
  const match = byPath.find('GET', escaped);
  if (match === null) return undefined;
  const params: Record<string, string> = {};
  for (const name in match.params) {
    const value = decodeComponent(match.params[name]!);
    if (value === undefined || value === '') return undefined;
    params[name] = value;
  }
  return (match.store as Map<string, string>).get(method);
}

function ourOperation(method: string, path: string): string | undefined {
  const match = ours.find(method, path);
  return match?.found === true ? match.entry : undefined;
}

const finders = {
  ours: ourOperation,
  findMyWay: (method: string, path: string) =>
    theirs.find(method as 'GET', path)?.store as string | undefined,
  sameRules,
};
for (const [at, { method, path }] of asked.entries()) {
  const wanted = `${routeContracts[at]!.method} ${routeContracts[at]!.path}`;
  for (const [name, find] of Object.entries(finders))
    if (find(method, path) !== wanted) throw new Error(`void: ${name} does not find ${wanted}`);
}

function nanosecondsPerLookup(find: (method: string, path: string) => string | undefined): number {
  const before = process.cpuUsage();
  let found = 0;
  for (let at = 0; at < lookups; at++) {
    const { method, path } = asked[at % asked.length]!;
    if (find(method, path) !== undefined) found += 1;
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
const found = { ours: [] as number[], findMyWay: [] as number[], sameRules: [] as number[] };
const served = { ours: [] as number[], native: [] as number[] };
// The first round warms all of them and is not counted.
for (let round = 0; round <= rounds; round++) {
  const figures = {
    ours: nanosecondsPerLookup(finders.ours),
    findMyWay: nanosecondsPerLookup(finders.findMyWay),
    sameRules: nanosecondsPerLookup(finders.sameRules),
  };
  const onWire = {
    ours: await microsecondsPerRequest(servers.ours),
    native: hasNative ? await microsecondsPerRequest(servers.native) : Number.NaN,
  };
  console.error(
    `round ${round}: a look-up takes ${figures.ours.toFixed(0)} ns, ` +
      `find-my-way ${figures.findMyWay.toFixed(0)} ns, ` +
      `with our rules ${figures.sameRules.toFixed(0)} ns; ` +
      `a request ${onWire.ours.toFixed(2)} us, with the native router ${onWire.native.toFixed(2)} us`,
  );
  if (round === 0) continue;
  for (const name of ['ours', 'findMyWay', 'sameRules'] as const) found[name].push(figures[name]);
  for (const name of ['ours', 'native'] as const) served[name].push(onWire[name]);
}

const result = {
  operations: routeContracts.length,
  nanosecondsPerLookup: {
    ours: spread(found.ours),
    findMyWay: spread(found.findMyWay),
    sameRules: spread(found.sameRules),
  },
  lookupOursOverFindMyWay: spread(found.ours.map((value, at) => value / found.findMyWay[at]!)),
  lookupOursOverSameRules: spread(found.ours.map((value, at) => value / found.sameRules[at]!)),
  ...(hasNative && {
    microsecondsPerRequest: { ours: spread(served.ours), native: spread(served.native) },
    requestOursOverNative: spread(served.ours.map((value, at) => value / served.native[at]!)),
  }),
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('http-router', result);
process.exit(0);
