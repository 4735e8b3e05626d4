// Adds up the reports of the test runs, names what failed, and prints the one line that says how it went.
import { join, relative } from 'node:path';
import { failuresOf, readFiles } from './reports.js';

const [folder, failedSteps] = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
const print = (verdict, { file, test, why }) =>
  console.log(`${verdict}: ${relative('.', file)}: ${test}: ${why.split('\n', 1)[0].slice(0, 200)}`);

for (const name of ['embedded', 'real']) {
  const files = readFiles(join(folder, `${name}.json`));
  if (files === undefined) {
    console.log(`The ${name} test run left no report.`);
    failed++;
    continue;
  }
  const again = new Map(readFiles(join(folder, `${name}-again.json`))?.map((file) => [file.name, file]));
  for (const first of files) {
    const last = again.get(first.name) ?? first;
    const failures = failuresOf(last);
    if (last !== first && failures.length === 0)
      for (const failure of failuresOf(first)) print('PASSED ONLY WHEN RUN AGAIN', failure);
    for (const failure of failures) print('FAILED', failure);
    failed += failures.length;
    for (const { status } of last.assertionResults)
      if (status === 'passed') passed++;
      else if (status !== 'failed') skipped++;
  }
}
// A failed step with no failed test behind it (types, lint, a server that did not start) must still fail the
// run.
if (failed === 0) failed = Number(failedSteps);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
