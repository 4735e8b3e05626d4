import { findUws } from '#platform/http-transport/load-uws.js';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { openIngestServer, type Server } from './ingest/ingest-server.js';
import { prepareRequests } from './ingest/prepare-requests.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * What does an acknowledged request with locations cost on each HTTP server of this Node? Both programs run
 * at once on data of their own, the generator drives them in turns, CPU is the program's own, from the
 * kernel.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 3);
const connections = Number(process.env['CONNECTIONS'] ?? 500);
const pointsPerRequest = 10;

const uws = findUws();
const names = uws.ok ? (['uws', 'node'] as const) : (['node'] as const);
if (!uws.ok) console.error(uws.reason);

const doors = new Map(
  names.map((name, nth) => {
    const ingest = openIngestServer({ HTTP_SERVER: name }, nth);
    const tokens = ingest.tokens(20);
    const bodies = prepareRequests({
      form: 'json',
      tokens,
      users: 500,
      pointsPerRequest,
      nowMs: Date.now(),
    });
    const own = { turn: 0, figures: [] as number[] };
    return [name, { door: ingest, bodies, own }] as const;
  }),
);
const servers = new Map<string, Server>();
for (const [name, { door: ingest }] of doors) servers.set(name, await ingest.start());

for (let round = -1; round <= rounds; round++) {
  for (const [name, { bodies, own }] of doors) {
    const { child, port } = servers.get(name)!;
    const before = processCpuSeconds(child.pid!);
    const { answers } = await closedLoop({
      port,
      connections,
      seconds,
      nextRequest: () => bodies[own.turn++ % bodies.length]!,
    });
    const cpu = processCpuSeconds(child.pid!) - before;
    const strange = [...answers].filter(([status]) => status !== 202 && status !== 503);
    if (strange.length > 0) throw new Error(`void: answers by status ${JSON.stringify([...answers])}`);
    const micros = (cpu * 1e6) / (answers.get(202) ?? 0);
    console.error(
      `round ${round}${round < 1 ? ' (warm-up)' : ''}, ${name}: ${micros.toFixed(1)} us of CPU per request`,
    );
    if (round > 0) own.figures.push(micros);
  }
}

const figures = Object.fromEntries([...doors].map(([name, { own }]) => [name, own.figures]));
const result = {
  binding: uws.ok ? uws.uws.binding : 'none',
  pointsPerRequest,
  connections,
  microsPerRequest: Object.fromEntries(names.map((name) => [name, spread(figures[name]!)])),
  ...(uws.ok && { nodeOverUws: spread(figures['node']!.map((value, at) => value / figures['uws']![at]!)) }),
};
for (const { door: ingest } of doors.values()) ingest.remove();
console.log(JSON.stringify(result, undefined, 2));
appendResult('ingest-servers', result);
process.exit(0);
