import { copyProject } from '../acceptance/project-copy.js';
import { isGood, runControl, runTest } from '../acceptance/run-control.js';

/** A known-bad build is judged by a test that expects the check to be red; a mutant is made in a copy. */
function controlOf(root, test, isCompiled) {
  const { control, runs } = test;
  if (typeof control !== 'object') return undefined;
  if (control.test !== undefined) {
    const ran = runTest(root, { file: control.file ?? runs, title: control.test }, true);
    return isGood(ran) ? 'red' : `GREEN: ${ran.broken ?? `${ran.passed} passed, ${ran.failed} failed`}`;
  }
  const copy = copyProject(root);
  try {
    return runControl(copy.root, { ...test, file: runs }, isCompiled, true);
  } finally {
    copy.remove();
  }
}

/**
 * Runs the tests of a row, then its controls. The row passes if every test does and every control is red,
 * and there is one.
 *
 * @param {string} root
 * @param {{ row: string, tests: object[] }} scenario
 * @param {(line: string) => void} say
 * @param {(file: string) => boolean} isCompiled whether the tests of the file start compiled programs
 * @returns {{ outcome: 'passed' | 'failed', seconds: number, figures: object }}
 */
export function runScenario(root, { row, tests }, say, isCompiled) {
  const started = performance.now();
  const figures = { tests: 0, failed: 0, red: 0, green: 0 };
  for (const test of tests) {
    const ran = runTest(root, { file: test.runs, title: test.title }, true);
    const hasPassed = isGood(ran);
    figures.tests += ran.passed;
    figures.failed += hasPassed ? 0 : Math.max(1, ran.failed);
    const why = hasPassed ? '' : `\n${ran.broken ?? ran.said ?? ''}`;
    say(`${row} ${hasPassed ? 'passed' : 'FAILED'}: ${test.title}${why}`);
    const control = controlOf(root, test, isCompiled(test.runs));
    if (control === undefined) continue;
    figures[control === 'red' ? 'red' : 'green'] += 1;
    say(`${row} control ${control}`);
  }
  const holds = figures.failed === 0 && figures.green === 0 && figures.red > 0;
  const seconds = Math.round((performance.now() - started) / 1_000);
  return { outcome: holds ? 'passed' : 'failed', seconds, figures };
}
