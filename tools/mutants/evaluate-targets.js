import { sqlMutantsOf } from './sql-mutants.js';
import { openTestRuns } from './test-runs.js';
import { mutantsOf } from './typescript-mutants.js';

/** Of the mutants of each area. */
const leastShare = 0.9;
/** A mutant that loops is stopped; the tests of a module take a second or two. */
const mutantCpuMsMax = 20_000;
const sqlMutantCpuMsMax = 120_000;

/**
 * Every `every`th mutant of the chosen targets; prints what survived.
 *
 * @param {Record<string, unknown[][]>} chosen from `areas`
 * @returns {Promise<boolean>} whether the tests of each area noticed enough
 */
export async function evaluateTargets(root, chosen, every) {
  const runs = await openTestRuns(root);
  const shares = [];
  for (const [area, targets] of Object.entries(chosen)) {
    let [all, noticed] = [0, 0];
    for (const target of targets) {
      const { born, survivors } = await judgeTarget(runs, target, every);
      all += born;
      noticed += born - survivors.length;
    }
    shares.push({ area, all, noticed });
  }
  await runs.close();
  for (const { area, all, noticed } of shares)
    console.log(`${area}: ${noticed} of ${all} mutants noticed, ${percent(noticed, all)}`);
  return shares.every(({ all, noticed }) => noticed / all >= leastShare);
}

async function judgeTarget(runs, [file, tests, from], every) {
  const ofSql = typeof from === 'object';
  const cpuMsMax = ofSql ? sqlMutantCpuMsMax : mutantCpuMsMax;
  const broken = await runs.failures(tests, undefined, tests.length * sqlMutantCpuMsMax);
  if (broken?.length !== 0)
    throw new Error(`The tests of ${file} fail without a mutant: ${broken?.join('; ') ?? 'too slow'}`);
  const survivors = [];
  let [born, stopped] = [0, 0];
  const mutants = ofSql ? sqlMutantsOf(file, from.sql) : mutantsOf(file, from);
  for (const mutant of mutants.filter((_, index) => index % every === 0)) {
    // A file at a time: most mutants are noticed by the first, and a database takes seconds to start.
    let verdict = 'survived';
    for (const test of tests)
      if (verdict === 'survived') verdict = await runs.judge([test], mutant, cpuMsMax);
    if (verdict === 'unborn') continue;
    born += 1;
    if (verdict === 'survived') survivors.push(mutant);
    if (verdict === 'stopped') stopped += 1;
  }
  const timedOut = stopped === 0 ? '' : `; ${stopped} of these did not end and were stopped`;
  const seen = born - survivors.length;
  console.log(`${file}: ${seen} of ${born} noticed, ${percent(seen, born)}${timedOut}`);
  for (const { line, was, to } of survivors) console.log(`  line ${line}: ${was} → ${to}`);
  return { born, survivors };
}

const percent = (part, all) => `${((part / all) * 100).toFixed(1)} %`;
