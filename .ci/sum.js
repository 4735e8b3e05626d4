// Adds up the reports of the test runs and prints the one line that says how it went.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, failedSteps] = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
for (const name of ['embedded', 'real']) {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) {
    console.log(`The ${name} test run left no report.`);
    failed++;
    continue;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests + report.numTodoTests;
  // A suite that broke before its first test has no failed test of its own.
  for (const suite of report.testResults) {
    if (suite.status !== 'failed') continue;
    const failures = suite.assertionResults.filter((result) => result.status === 'failed').length;
    if (failures === 0) failed++;
  }
}
// A failed step with no failed test behind it (types, lint, a server that did not start) must still fail the
// run.
if (failed === 0) failed = Number(failedSteps);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
