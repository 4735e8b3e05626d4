import { rmSync } from 'node:fs';
import { seededRandom } from '#tools/city/random.js';
import { appendResult, spread } from './append-result.js';
import { crashInput } from './streams/crash-input.js';
import { appendInput, live, newWorld } from './streams/crash-lives.js';
import { compareOutputs, readOutputs } from './streams/crash-outputs.js';

/**
 * The group `traffic` is killed at random instants, again and again, while it reads; what it said is then compared, cell by
 * cell, with what one life says that nobody disturbs. Then: what do snapshots of the state cost, beside none?
 */
const kills = Number(process.env['KILLS'] ?? 100);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const records = Number(process.env['RECORDS'] ?? 120_000);
const edges = Number(process.env['EDGES'] ?? 8_000);
const random = seededRandom(Number(process.env['SEED'] ?? 1));

const crashed = await newWorld();
const calm = await newWorld();
let killed = 0;
let written = 0;
const perLife = Number(process.env['PER_LIFE'] ?? 2_000);
while (killed < kills) {
  // There is always more to read than one life can, so that every kill falls into work.
  const input = crashInput(edges, written, perLife, random);
  written += perLife;
  await appendInput(crashed, input);
  await appendInput(calm, input);
  if ((await live(crashed, 100, random.next() * 500)) === undefined) killed++;
}
// Whoever else ends a life is no reason to compare half of the output.
while ((await live(crashed, 100)) === undefined)
  console.error('the last life was ended from outside; once more');
let whole = await live(calm, null);
while (whole === undefined) whole = await live(calm, null);
const [after, batch] = [
  await crashed.withLog((log) => readOutputs(log, crashed.codecs)),
  await calm.withLog((log) => readOutputs(log, calm.codecs)),
];
const comparison = compareOutputs(after, batch);
console.error(JSON.stringify({ killed, written, ...comparison, batch: whole.counts }));

const cost = { ratios: [] as number[], withSnapshots: [] as number[], without: [] as number[] };
process.on('exit', () => {
  for (const world of [crashed, calm, ...loads]) world.remove();
});
const loads = [await newWorld(), await newWorld()] as const;
const load = crashInput(edges, 0, records, random);
for (const world of loads) await appendInput(world, load);
for (let round = 0; round <= rounds; round++) {
  const cpu: number[] = [];
  for (const [i, every] of [5_000, null].entries()) {
    rmSync(`${loads[i]!.folder}/objects`, { recursive: true, force: true });
    cpu.push((await live(loads[i]!, every))!.cpuS);
  }
  console.error(`round ${round}: ${cpu.map((s) => s.toFixed(2)).join(' s with snapshots, without ')} s`);
  if (round === 0) continue;
  cost.ratios.push(cpu[0]! / cpu[1]!);
  cost.withSnapshots.push(records / cpu[0]!);
  cost.without.push(records / cpu[1]!);
}
const result = {
  log: 'embedded',
  kills: killed,
  records: written,
  edges,
  ...comparison,
  said: whole.counts,
  cpuWithSnapshotsOverWithout: spread(cost.ratios),
  recordsPerCpuSecond: { withSnapshots: spread(cost.withSnapshots), without: spread(cost.without) },
};
console.log(JSON.stringify(result, undefined, 2));
if (comparison.cellsThatDiffer > 0) process.exit(1);
if (process.env['APPEND'] !== '0') appendResult('streams-crashes', result);
