import { copyProject } from '../acceptance/project-copy.js';
import { runControl, runTest } from '../acceptance/run-control.js';

/** A known-bad build is judged by a test that expects the check to be red; a mutant is made in a copy. */
function controlOf(root, test, isCompiled) {
  const { control, runs } = test;
  if (typeof control !== 'object') return undefined;
  if (control.test !== undefined) {
    const { passed, failed, broken } = runTest(
      root,
      { file: control.file ?? runs, title: control.test },
      true,
    );
    return passed > 0 && failed === 0 ? 'red' : `GREEN: ${broken ?? `${passed} passed, ${failed} failed`}`;
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
    const { passed, failed, broken, said } = runTest(root, { file: test.runs, title: test.title }, true);
    const isGood = passed > 0 && failed === 0 && broken === undefined;
    figures.tests += passed;
    figures.failed += isGood ? 0 : Math.max(1, failed);
    say(`${row} ${isGood ? 'passed' : 'FAILED'}: ${test.title}${isGood ? '' : `\n${broken ?? said ?? ''}`}`);
    const control = controlOf(root, test, isCompiled(test.runs));
    if (control === undefined) continue;
    figures[control === 'red' ? 'red' : 'green'] += 1;
    say(`${row} control ${control}`);
  }
  const holds = figures.failed === 0 && figures.green === 0 && figures.red > 0;
  const seconds = Math.round((performance.now() - started) / 1_000);
  return { outcome: holds ? 'passed' : 'failed', seconds, figures };
}
