import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { type BodyForm, bodyForms, prepareRequests } from './ingest/prepare-requests.js';
import { processCpuSeconds, processResidentMib } from './process-cpu.js';

/**
 * How much CPU does an acknowledged location cost, beside a uWebSockets.js server that reads and discards the same body?
 * Both servers run at once, the generator drives them in turns; CPU is the server's own, from the kernel. Afterwards the
 * log is read back: what was acknowledged must be there, else the figure is void.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 4);
const connections = Number(process.env['CONNECTIONS'] ?? 64);
const pointsPerRequest = 10;
const users = 500;

const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
const env = {
  ...process.env,
  MERIDIAN_DATA: folder,
  LOG_LEVEL: 'warn',
  RATE_PER_USER: '1000000',
  BATCHES_PER_USER: '1000000',
};
const meridian = (...args: string[]): string => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 31 - 1,
  });
  if (status !== 0) throw new Error(`meridian ${args.join(' ')} failed: ${stderr}`);
  return stdout;
};

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startPeer(): Promise<Server> {
  const script = fileURLToPath(new URL('./ingest/discard-server.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line) };
}

async function startOurs(): Promise<Server> {
  const port = 20_000 + (process.pid % 20_000);
  const child = spawn(process.execPath, [command, 'ingest', 'door'], {
    env: { ...env, PORT: String(port), INTERNAL_PORT: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const end = Date.now() + 30_000; ; ) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (ready?.status === 200) return { child, port };
    if (child.exitCode !== null || Date.now() > end) throw new Error('ingest did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const tokens = Array.from({ length: 20 }, (_, i) =>
  meridian('token', '--sub', `bench-${i}`, '--scope', 'driver').trim(),
);
const requests = new Map(
  bodyForms.map((form) => [
    form,
    prepareRequests({ form, tokens, users, pointsPerRequest, nowMs: Date.now() }),
  ]),
);
const [peer, ours] = [await startPeer(), await startOurs()];
// However the run ends, its servers end with it.
process.on('exit', () => {
  peer.child.kill('SIGKILL');
  ours.child.kill('SIGKILL');
});
let turn = 0;
let acknowledged = 0;
let shedByOurs = 0;

async function measure({ child, port }: Server, form: BodyForm) {
  const bodies = requests.get(form)!;
  const before = processCpuSeconds(child.pid!);
  const { answers, seconds: wall } = await closedLoop({
    port,
    connections,
    seconds,
    nextRequest: () => bodies[turn++ % bodies.length]!,
  });
  const cpu = processCpuSeconds(child.pid!) - before;
  const good = answers.get(202) ?? 0;
  // A refusal under pressure is an answer too, and its cost is in the CPU; anything else voids the run.
  const shed = answers.get(503) ?? 0;
  const strange = [...answers].filter(([status]) => status !== 202 && status !== 503);
  if (strange.length > 0) throw new Error(`void: answers by status ${JSON.stringify([...answers])}`);
  if (child === ours.child) acknowledged += good;
  return {
    perCpuSecond: (good * pointsPerRequest) / cpu,
    microsPerRequest: (cpu * 1e6) / good,
    perSecond: (good * pointsPerRequest) / wall,
    shed,
  };
}

const newFigures = () => ({
  peer: [] as number[],
  ours: [] as number[],
  ratio: [] as number[],
  oursWall: [] as number[],
});
const figures = { json: newFigures(), protobuf: newFigures() };
// The first round warms both and is not counted.
for (let round = 0; round <= rounds; round++) {
  for (const form of bodyForms) {
    const [peerRound, oursRound] = [await measure(peer, form), await measure(ours, form)];
    const ratio = oursRound.microsPerRequest / peerRound.microsPerRequest;
    console.error(
      `round ${round}${round === 0 ? ' (warm-up)' : ''}, ${form}: discard ${peerRound.microsPerRequest.toFixed(1)} us, ` +
        `ours ${oursRound.microsPerRequest.toFixed(1)} us of CPU per request, ratio ${ratio.toFixed(2)}; ${oursRound.shed} shed`,
    );
    if (round === 0) continue;
    figures[form].peer.push(peerRound.perCpuSecond);
    figures[form].ours.push(oursRound.perCpuSecond);
    figures[form].ratio.push(ratio);
    figures[form].oursWall.push(oursRound.perSecond);
    shedByOurs += oursRound.shed;
  }
}
const residentMib = Math.round(processResidentMib(ours.child.pid!));

peer.child.kill();
ours.child.kill();
await once(ours.child, 'close');
const inLog =
  meridian('events', 'tail', 'location.batch.recorded.v1', '--from', 'earliest', '--no-follow').split('\n')
    .length - 1;
const result = {
  adapter: (process.env['EVENT_LOG'] ?? 'embedded').split(':')[0],
  pointsPerRequest,
  connections,
  ...Object.fromEntries(
    bodyForms.map((form) => {
      const { peer: discard, ours: own, ratio, oursWall } = figures[form];
      return [
        form,
        {
          pointsPerCpuSecond: { discard: spread(discard), ours: spread(own) },
          cpuPerRequestOursOverDiscard: spread(ratio),
          pointsPerSecondWall: spread(oursWall),
        },
      ];
    }),
  ),
  residentMib,
  acknowledged,
  inLog,
  shed: shedByOurs,
};
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(result, undefined, 2));
if (inLog < acknowledged) {
  console.error(`void: ${acknowledged} batches were acknowledged and ${inLog} are in the log`);
  process.exit(1);
}
appendResult('ingest-cpu', result);
