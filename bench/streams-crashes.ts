import { rmSync } from 'node:fs';
import { seededRandom } from '#platform/random/random.js';
import { appendResult, spread } from './append-result.js';
import { crashInput } from './streams/crash-input.js';
import { appendInput, live, newWorld } from './streams/crash-lives.js';
import { compareOutputs, readOutputs } from './streams/crash-outputs.js';

/**
 * The group `traffic` is killed at random instants, repeatedly, while it reads. Its output is then compared,
 * cell by cell, with that of a run without kills. Then: what do snapshots of the state cost, compared with
 * none? On the embedded log, or on the one at `BENCH_LOG`; a dead member of a Kafka group is detected after
 * ten seconds.
 */
const kills = Number(process.env['KILLS'] ?? 100);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const records = Number(process.env['RECORDS'] ?? 120_000);
const edges = Number(process.env['EDGES'] ?? 8_000);
const random = seededRandom(Number(process.env['SEED'] ?? 1));

const killed = kills > 0 ? await kill() : undefined;
const cost = { ratios: [] as number[], withSnapshots: [] as number[], without: [] as number[] };
const world = await newWorld();
await appendInput(world, crashInput(edges, 0, records, random));
for (let round = 0; rounds > 0 && round <= rounds; round++) {
  const cpu: number[] = [];
  const said: string[] = [];
  // The order alternates. Each life is a group of its own; otherwise it would continue where the previous one
  // ended.
  const turns = [5_000, null];
  for (const every of round % 2 === 0 ? turns : turns.toReversed()) {
    const outcome = await live(world, every, undefined, `-${round}-${every === null ? 'without' : 'with'}`);
    if (outcome === undefined) throw new Error('a life was ended from outside; begin again');
    cpu[turns.indexOf(every)] = outcome.cpuS;
    said.push(JSON.stringify(outcome.counts));
    rmSync(`${world.folder}/objects`, { recursive: true, force: true });
  }
  if (said[0] !== said[1] || !(JSON.parse(said[0]!) as Record<string, number>)['counted'])
    throw new Error(`round ${round} is void: ${said.join(' and ')}`);
  console.error(`round ${round}: ${cpu.map((s) => s.toFixed(2)).join(' s with snapshots, without ')} s`);
  if (round === 0) continue;
  cost.ratios.push(cpu[0]! / cpu[1]!);
  cost.withSnapshots.push(records / cpu[0]!);
  cost.without.push(records / cpu[1]!);
}
await world.remove();
const result = {
  log: world.logAddress.split(':')[0],
  edges,
  ...killed,
  ...(cost.ratios.length > 0 && {
    cpuWithSnapshotsOverWithout: spread(cost.ratios),
    recordsPerCpuSecond: { withSnapshots: spread(cost.withSnapshots), without: spread(cost.without) },
  }),
};
console.log(JSON.stringify(result, undefined, 2));
if (killed !== undefined && killed.cellsThatDiffer > 0) process.exit(1);
if (process.env['APPEND'] !== '0') appendResult('streams-crashes', result);

async function kill() {
  const crashed = await newWorld();
  const calm = await newWorld();
  let deaths = 0;
  let written = 0;
  const perLife = Number(process.env['PER_LIFE'] ?? 2_000);
  while (deaths < kills) {
    // There is always more to read than one life can, so that every kill falls into work.
    const input = crashInput(edges, written, perLife, random);
    written += perLife;
    await appendInput(crashed, input);
    await appendInput(calm, input);
    if ((await live(crashed, 100, random.next() * 500)) === undefined) deaths++;
  }
  // If a life ends for another reason, half of the output must not be compared.
  while ((await live(crashed, 100)) === undefined)
    console.error('the last life was ended from outside; once more');
  let whole = await live(calm, null);
  while (whole === undefined) whole = await live(calm, null);
  const [after, batch] = [
    await crashed.withLog((log) => readOutputs(log, crashed.codecs, crashed.suffix)),
    await calm.withLog((log) => readOutputs(log, calm.codecs, calm.suffix)),
  ];
  const comparison = compareOutputs(after, batch);
  await crashed.remove();
  await calm.remove();
  const outcome = { kills: deaths, records: written, ...comparison, said: whole.counts };
  console.error(JSON.stringify(outcome));
  return outcome;
}
