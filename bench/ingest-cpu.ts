import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { openIngestServer, type Server } from './ingest/ingest-server.js';
import { type BodyForm, bodyForms, prepareRequests } from './ingest/prepare-requests.js';
import { processCpuSeconds, processResidentMib } from './process-cpu.js';

/**
 * How much CPU does an acknowledged location cost, beside a uWebSockets.js server that reads and discards the
 * same body? Both servers run at once, the generator drives them in turns; CPU is the server's own, from the
 * kernel. Afterwards the log is read back: what was acknowledged must be there, else the figure is void.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 4);
/**
 * Each phone has a connection of its own. With 256 and fewer, the ingest server waits for the log's
 * acknowledgement and not for requests, and pays for waking up.
 */
const connections = Number(process.env['CONNECTIONS'] ?? 1_000);
const pointsPerRequest = Number(process.env['POINTS'] ?? 10);
const users = 500;

const ingest = openIngestServer();

async function startPeer(): Promise<Server> {
  const script = fileURLToPath(new URL('./ingest/discard-server.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line) };
}

const loggedBefore = await ingest.countLogged();
const tokens = ingest.tokens(20);
const requests = new Map(
  bodyForms.map((form) => [
    form,
    prepareRequests({ form, tokens, users, pointsPerRequest, nowMs: Date.now() }),
  ]),
);
const [peer, ours] = [await startPeer(), await ingest.start()];
process.on('exit', () => peer.child.kill('SIGKILL'));
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
  // A refusal under load is an answer too, and its CPU counts; any other failure voids the run.
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
// The first two rounds warm both and are not counted.
for (let round = -1; round <= rounds; round++) {
  for (const form of bodyForms) {
    const [peerRound, oursRound] = [await measure(peer, form), await measure(ours, form)];
    const ratio = oursRound.microsPerRequest / peerRound.microsPerRequest;
    console.error(
      `round ${round}${round < 1 ? ' (warm-up)' : ''}, ${form}: ` +
        `discard ${peerRound.microsPerRequest.toFixed(1)} us, ` +
        `ours ${oursRound.microsPerRequest.toFixed(1)} us of CPU per request, ratio ${ratio.toFixed(2)}; ` +
        `${oursRound.shed} shed`,
    );
    if (round < 1) continue;
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
const inLog = (await ingest.countLogged()) - loggedBefore;
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
ingest.remove();
console.log(JSON.stringify(result, undefined, 2));
if (inLog < acknowledged) {
  console.error(`void: ${acknowledged} batches were acknowledged and ${inLog} are in the log`);
  process.exit(1);
}
appendResult('ingest-cpu', result);
