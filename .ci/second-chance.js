// Names the files whose failed tests may run once more, alone: few, and none that name a seed. A test that
// waits for something may fail because the machine is busy; a counterexample stays one.
import { failuresOf, readFiles } from './reports.js';

const filesMax = 8;
const [report] = process.argv.slice(2);
const failures = (readFiles(report) ?? []).flatMap(failuresOf);
const files = [...new Set(failures.map(({ file }) => file))];
const hasSeed = failures.some(({ test, why }) => /seed/i.test(`${test} ${why}`));
if (files.length === 0 || files.length > filesMax || hasSeed) process.exit(1);
console.log(files.join('\n'));
