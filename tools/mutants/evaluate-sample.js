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
/** A mutant that loops is stopped. */
const cpuMsMax = { usual: 25_000, full: 120_000 };
/** Messages of a test that may only have been slow: it is run again without the mutant, which decides. */
const tooLate = /timed? ?out|in time|deadline/i;
/** When the tool is stopped, the results of mutants that were tested on both sides so far are kept. */
const sliceLength = 25;

/**
 * Judges a sample by the related tests, here and in the earlier checkout, and prints the counts.
 *
 * @param {{ count: number, seed: string, stateFile: string, before?: string }} options
 * @returns {Promise<boolean>} whether everything that the earlier checkout kills is killed here
 */
export async function evaluateSample(root, { count, seed, stateFile, before }) {
  const file = resolve(stateFile);
  const earlier = before === undefined ? undefined : `${resolve(before)}/`;
  const state = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { seed, mutants: drawSample(root, { count, seed, before: earlier }) };
  const save = () => {
    writeFileSync(`${file}.new`, JSON.stringify(state, undefined, 1));
    renameSync(`${file}.new`, file);
  };
  state.mutants = state.mutants.filter((mutant) => stands(root, mutant));
  save();

  const here = sideOf(root, 'here', state, save);
  const there = earlier === undefined ? undefined : sideOf(earlier, 'before', state, save);
  const byCost = await here.byCost(state.mutants);
  for (let begin = 0; begin < byCost.length; begin += sliceLength) {
    const slice = byCost.slice(begin, begin + sliceLength);
    await here.judge(slice, 'usual');
    if (there === undefined) continue;
    // Only mutants that survive here can be lost.
    await there.judge(slice.filter(survives), 'earlier');
    await here.judge(slice.filter(isLost), 'full');
    await here.judge(slice.filter(isLost), 'further');
  }
  await here.judge(byCost.filter(survives), 'full');
  await there?.judge(byCost, 'earlier');
  print(state.mutants);
  return !state.mutants.some(isLost);
}

/** Whether the code at the place is unchanged since the sample was drawn: a change needs a new sample. */
function stands(root, { file, start, end, was, line }) {
  const path = join(root, file);
  const is = existsSync(path) && readFileSync(path, 'utf8').slice(start, end) === was;
  if (!is) console.log(`${file}:${line} has changed since the sample was drawn and is left out`);
  return is;
}

const survives = ({ verdicts: { here } }) => here.killed === undefined;

const isLost = (mutant) => survives(mutant) && mutant.verdicts.before?.killed !== undefined;

/** One checkout, its tests and what is known of them. */
function sideOf(root, side, state, save) {
  const related = new RelatedTests(root);
  state[side] ??= { sound: [] };
  const sound = new Set(state[side].sound);
  const broken = new Set();
  const placed = (mutant) => (side === 'here' ? mutant : { ...mutant, ...mutant.before });

  /** Whether the file passes without a mutant: only then does its failure count. */
  async function isSound(runs, test, cpuMsMax) {
    const failed = await runs.failures([test], undefined, cpuMsMax);
    if (failed?.length === 0) sound.add(test);
    else broken.add(test);
    if (failed?.length !== 0)
      console.log(`${side} ${test} fails without a mutant: ${failed?.join() ?? 'too slow'}`);
    return failed?.length === 0;
  }

  async function isKilledBy(runs, mutant, test, cpuMsMax) {
    const failed = await runs.failures([test], placed(mutant), cpuMsMax);
    if (failed?.length === 0) {
      sound.add(test);
      return false;
    }
    const late = failed?.some((message) => tooLate.test(message));
    return (sound.has(test) && !late) || isSound(runs, test, cpuMsMax);
  }

  /** The tests of the round that were not run, and those of the same name that tested the other side. */
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
      if (broken.has(test)) continue;
      const selection = isUsual(test) ? 'usual' : 'full';
      process.env['TESTS'] = selection;
      tried.push(test);
      if (await isKilledBy(runs, mutant, test, cpuMsMax[selection]))
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
    /** Mutants whose first-round tests start no process come first. */
    async byCost(mutants) {
      const isUsual = await usualTests(root);
      const costOf = (mutant) =>
        Math.max(0, ...testsFor(mutant, 'usual', isUsual, []).map((test) => related.costOf(test)));
      return mutants
        .map((mutant) => [costOf(mutant), mutant])
        .toSorted(([a], [b]) => a - b)
        .map(([, mutant]) => mutant);
    },
    /** Mutants that the round can still decide. */
    async judge(mutants, round) {
      const open = mutants.filter((mutant) => isOpen(mutant, round));
      if (open.length === 0) return;
      const isUsual = await usualTests(root);
      const runs = await openTestRuns(root);
      for (const mutant of open) {
        const verdict = await verdictOn(runs, mutant, round, isUsual);
        mutant.verdicts = { ...mutant.verdicts, [side]: verdict };
        state[side].sound = [...sound];
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
  const files = new Set(Object.values(selected('usual')).flat());
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
      `${name}: ${own.length} mutants, ${of('usual')} killed by npm test, ` +
        `${of('full')} more by test:full, ${of(undefined)} survive; ${then} killed before`,
    );
  }
  for (const mutant of mutants)
    if (mutant.verdicts.here.killed === undefined) console.log(`survives: ${lineOf(mutant)}`);
  for (const mutant of mutants.filter(isLost))
    console.log(`lost: ${lineOf(mutant)}, killed before by ${mutant.verdicts.before.by}`);
}
