import { headOf, workingTree } from '../prove/source-trees.js';
import { addMutantResult, leastShare, mutantResults, shareOf, targetHashes } from './mutant-results.js';
import { sqlMutantsOf } from './sql-mutants.js';
import { openTestRuns } from './test-runs.js';
import { mutantsOf } from './typescript-mutants.js';

/** A mutant that loops is stopped; the tests of a module take a second or two. */
const mutantCpuMsMax = 20_000;
const sqlMutantCpuMsMax = 120_000;

/**
 * Every mutant of the chosen targets; prints what survived and keeps the results.
 *
 * @param {Record<string, unknown[][]>} areas with all their targets
 * @param {(target: unknown[], judged: boolean) => boolean} chosen whether to judge a target now, which has
 *   been judged for the files of now, or not
 * @returns {Promise<boolean>} whether the tests of each area with a chosen target noticed enough
 */
export async function evaluateTargets(root, areas, chosen) {
  const tree = workingTree(root);
  const hashOf = targetHashes(tree);
  const before = mutantResults(root, tree);
  const [commit, runs] = [headOf(root), await openTestRuns(root)];
  const touched = [];
  for (const [area, targets] of Object.entries(areas)) {
    const now = targets.filter((target) => chosen(target, before(target) !== undefined, area));
    if (now.length > 0) touched.push([area, targets]);
    for (const target of now) {
      const { born, survivors } = await judgeTarget(runs, target);
      const [file] = target;
      const lines = survivors.map(({ line, was, to }) => `${line}: ${was} → ${to}`);
      const date = new Date().toISOString();
      addMutantResult(root, { file, born, survivors: lines, date, commit, hash: hashOf(target) });
    }
  }
  await runs.close();
  const after = mutantResults(root, tree);
  const shares = touched.map(([area, targets]) => ({ area, ...shareOf(targets, after) }));
  for (const { area, born, noticed, missing } of shares) {
    const rest = missing.length === 0 ? '' : `; not judged: ${missing.join(', ')}`;
    console.log(`${area}: ${noticed} of ${born} mutants noticed, ${percent(noticed, born)}${rest}`);
  }
  return shares.every(({ born, noticed }) => noticed / born >= leastShare);
}

async function judgeTarget(runs, [file, tests, from]) {
  const ofSql = typeof from === 'object';
  const cpuMsMax = ofSql ? sqlMutantCpuMsMax : mutantCpuMsMax;
  const broken = await runs.failures(tests, undefined, tests.length * sqlMutantCpuMsMax);
  if (broken?.length !== 0)
    throw new Error(`The tests of ${file} fail without a mutant: ${broken?.join('; ') ?? 'too slow'}`);
  const survivors = [];
  let [born, stopped] = [0, 0];
  const mutants = ofSql ? sqlMutantsOf(file, from.sql) : mutantsOf(file, from);
  for (const mutant of mutants) {
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
