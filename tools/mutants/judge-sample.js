import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { drawSample } from './draw-sample.js';
import { RelatedTests } from './related-tests.js';
import { openTestRuns } from './test-runs.js';

/**
 * How many tests judge a mutant, the nearest first: of the selection of `npm test`, then of the others if it
 * survives. `further` is for one that the earlier checkout kills, before it counts as lost.
 */
const rounds = {
  usual: { usual: 4, others: 0 },
  full: { usual: 4, others: 1 },
  /** All tests of a checkout without selections are those of `npm test`. */
  earlier: { usual: 5, others: 0 },
  further: { usual: 16, others: 16 },
};
/** A mutant that loops is stopped; the slowest files start programs several times. */
const fileMsMax = 120_000;
const limitOf = (ms) => Math.min(fileMsMax, 15_000 + 5 * ms);

/**
 * Judges a sample by the related tests, here and in the earlier checkout, and prints the counts.
 *
 * @param {{ count: number, seed: string, stateFile: string, before?: string }} options
 * @returns {Promise<boolean>} whether everything that the earlier checkout kills is killed here
 */
export async function judgeSample(root, { count, seed, stateFile, before }) {
  const file = resolve(stateFile);
  const earlier = before === undefined ? undefined : `${resolve(before)}/`;
  const state = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { seed, mutants: drawSample(root, { count, seed, before: earlier }) };
  const save = () => {
    writeFileSync(`${file}.new`, JSON.stringify(state, undefined, 1));
    renameSync(`${file}.new`, file);
  };
  save();

  const here = sideOf(root, 'here', state, save);
  await here.judge(state.mutants, 'usual');
  const [killed, alive] = [true, false].map((is) =>
    state.mutants.filter(({ verdicts }) => is === (verdicts.here.killed !== undefined)),
  );
  if (earlier !== undefined) {
    const there = sideOf(earlier, 'before', state, save);
    // What can be lost is judged first.
    await there.judge(alive, 'earlier');
    await here.judge(lostOf(alive), 'full');
    await here.judge(lostOf(alive), 'further');
    await here.judge(alive, 'full');
    await there.judge(killed, 'earlier');
  } else await here.judge(alive, 'full');
  print(state.mutants);
  return lostOf(state.mutants).length === 0;
}

const lostOf = (mutants) =>
  mutants.filter(
    ({ verdicts: { here, before } }) => here.killed === undefined && before?.killed !== undefined,
  );

/** One checkout, its tests and what is known of them. */
function sideOf(root, side, state, save) {
  const related = new RelatedTests(root);
  state[side] ??= { soundMs: {}, broken: [] };
  const { soundMs, broken } = state[side];
  const placed = (mutant) => (side === 'here' ? mutant : { ...mutant, ...mutant.before });

  /** Whether the file passes without a mutant in this time: a failure says nothing otherwise. */
  async function isSound(runs, test, msMax) {
    if (broken.includes(test)) return false;
    const began = Date.now();
    const failed = await runs.failures([test], undefined, msMax);
    if (failed?.length === 0) soundMs[test] = Math.max(soundMs[test] ?? 0, Date.now() - began);
    else if (msMax === fileMsMax) {
      broken.push(test);
      console.log(`${side} ${test} fails without a mutant: ${failed?.join() ?? 'too slow'}`);
    }
    return failed?.length === 0;
  }

  /** A file that passed before is stopped early, unless it takes as long without the mutant. */
  async function isKilledBy(runs, mutant, test) {
    const limit = limitOf(soundMs[test] ?? fileMsMax);
    const began = Date.now();
    let verdict = await runs.judge([test], placed(mutant), limit);
    if (verdict === 'stopped' && limit < fileMsMax && !(await isSound(runs, test, limit)))
      verdict = await runs.judge([test], placed(mutant), fileMsMax);
    if (verdict === 'survived') soundMs[test] = Math.max(soundMs[test] ?? 0, Date.now() - began);
    return verdict !== 'survived' && (test in soundMs || (await isSound(runs, test, fileMsMax)));
  }

  /** The tests of the round that were not tried, and those of the same name that judged the other side. */
  function testsFor(mutant, round, isUsual, tried) {
    const all = related.of(placed(mutant).file, mutant.name);
    const { here, before } = mutant.verdicts ?? {};
    const judged = side === 'here' ? [before?.by] : here.tried;
    const names = judged.filter((test) => test !== undefined).map((test) => basename(test));
    const nearest = [
      ...all.filter((test) => names.includes(basename(test))),
      ...all.filter(isUsual).slice(0, rounds[round].usual),
      ...all.filter((test) => !isUsual(test)).slice(0, rounds[round].others),
    ];
    const order = (test) => (isUsual(test) ? 0 : 100_000) + related.costOf(test);
    return [...new Set(nearest)]
      .filter((test) => !tried.includes(test))
      .toSorted((a, b) => order(a) - order(b));
  }

  async function verdictOn(runs, mutant, round, isUsual) {
    const began = Date.now();
    const tried = mutant.verdicts?.[side]?.tried ?? [];
    for (const test of testsFor(mutant, round, isUsual, tried)) {
      if (broken.includes(test)) continue;
      const selection = isUsual(test) ? 'usual' : 'full';
      process.env['TESTS'] = selection;
      tried.push(test);
      if (await isKilledBy(runs, mutant, test))
        return { round, tried, killed: selection, by: test, ms: Date.now() - began };
    }
    return { round, tried, ms: Date.now() - began };
  }

  const isOpen = (mutant, round) => {
    const verdict = mutant.verdicts?.[side];
    const order = Object.keys(rounds);
    return (
      verdict === undefined ||
      (verdict.killed === undefined && order.indexOf(verdict.round) < order.indexOf(round))
    );
  };

  return {
    /** Those that the round can still decide. */
    async judge(mutants, round) {
      const open = mutants.filter((mutant) => isOpen(mutant, round));
      if (open.length === 0) return;
      const isUsual = await usualTests(root);
      const cost = new Map(
        open.map((mutant) => [
          mutant,
          Math.max(0, ...testsFor(mutant, round, isUsual, []).map((test) => related.costOf(test))),
        ]),
      );
      const runs = await openTestRuns(root);
      for (const mutant of open.toSorted((a, b) => cost.get(a) - cost.get(b))) {
        const verdict = await verdictOn(runs, mutant, round, isUsual);
        mutant.verdicts = { ...mutant.verdicts, [side]: verdict };
        save();
        console.log(`${side} ${lineOf(mutant)}: ${verdict.by ?? 'survived'} (${round}, ${verdict.ms} ms)`);
      }
      await runs.close();
    },
  };
}

/** Which test files `npm test` runs; a checkout without selections runs all. */
async function usualTests(root) {
  const file = join(root, 'tests/selection.js');
  if (!existsSync(file)) return () => true;
  const { selected } = await import(pathToFileURL(file).href);
  const { parallel, serial } = selected('usual');
  const files = new Set([...parallel, ...serial]);
  return (test) => files.has(test);
}

const lineOf = ({ file, line, was, to }) => `${file}:${line} ${was} → ${to}`;

function print(mutants) {
  const rows = [...new Set(mutants.map(({ file }) => file.split('/')[0]))].map((name) => [
    name,
    mutants.filter(({ file }) => file.startsWith(`${name}/`)),
  ]);
  for (const [name, own] of [...rows, ['all', mutants]]) {
    const of = (killed) => own.filter(({ verdicts: { here } }) => here.killed === killed).length;
    const then = own.filter(({ verdicts: { before } }) => before?.killed !== undefined).length;
    console.log(
      `${name}: ${own.length} mutants, ${of('usual')} killed by npm test, ${of('full')} more by test:full, ${of(undefined)} survive; ${then} killed before`,
    );
  }
  for (const mutant of mutants)
    if (mutant.verdicts.here.killed === undefined) console.log(`survives: ${lineOf(mutant)}`);
  for (const mutant of lostOf(mutants))
    console.log(`lost: ${lineOf(mutant)}, killed before by ${mutant.verdicts.before.by}`);
}
