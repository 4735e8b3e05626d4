// `npm run controls -- [WORD…]`: does a test notice what its row forbids? Makes, in a copy of the project,
// the mutant that a statement `proves(row, { control: { in, change, to } })` names, and expects its test to
// fail. A word takes the rows, or the files, that hold it. Exit code 1 when a test stays green or could not
// run.
import { fileURLToPath } from 'node:url';
import { selected } from '../tests/selection.js';
import { allEvidence } from './acceptance/all-evidence.js';
import { copyProject } from './acceptance/project-copy.js';
import { runControl } from './acceptance/run-control.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const chosen = allEvidence(root).evidence.filter(
  ({ row, file, control }) =>
    control?.in !== undefined &&
    (words.length === 0 || words.some((word) => row === word || file.includes(word))),
);
const quick = new Set(Object.values(selected('quick')).flat());
const copy = copyProject(root);
process.on('exit', copy.remove);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
let red = 0;
for (const one of chosen) {
  const said = runControl(copy.root, one, !quick.has(one.file));
  if (said === 'red') red += 1;
  console.log(`${one.row} ${one.file}:${one.line}: ${said}`);
}
console.log(`${red} of ${chosen.length} controls turn their test red`);
process.exitCode = red === chosen.length ? 0 : 1;
