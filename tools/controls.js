// `npm run controls -- [WORD…]`: does a test notice what its row forbids? Makes, in a copy of the project,
// the mutant that a statement `proves(row, { control: { in, change, to } })` names, and expects its test to
// fail. A word takes the rows, or the files, that hold it; without one, all that have not been red for the
// code of now. `tests/controls.ndjson` keeps what was red. Exit code 1 when a test stays green or could not
// run.
import { fileURLToPath } from 'node:url';
import { selected } from '../tests/selection.js';
import { allEvidence } from './acceptance/all-evidence.js';
import { addControlResult, controlHashes, controlResults, isMutant } from './acceptance/control-results.js';
import { copyProject } from './acceptance/project-copy.js';
import { build, runControl } from './acceptance/run-control.js';
import { testFileOf } from './acceptance/test-file-of.js';
import { headOf, workingTree } from './prove/source-trees.js';

const root = fileURLToPath(new URL('..', import.meta.url));
// Tests on real servers start and stop those of this folder, also from the copy.
process.env.MERIDIAN_INFRA_DATA ??= `${root}data/infra`;
const words = process.argv.slice(2);
const tree = workingTree(root);
const hashOf = controlHashes(tree);
const resultOf = controlResults(root, tree);
const chosen = allEvidence(root)
  .evidence.filter(isMutant)
  .filter((one) =>
    words.length === 0
      ? resultOf(one) === undefined
      : words.some((word) => one.row === word || one.file.includes(word)),
  );
const quick = new Set(Object.values(selected('quick')).flat());
const copy = copyProject(root);
process.on('exit', copy.remove);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
if (chosen.length > 0) build(copy.root);
let red = 0;
for (const [at, one] of chosen.entries()) {
  const { row, file, line, control } = one;
  const said = runControl(copy.root, { ...one, file: testFileOf(root, file) }, !quick.has(file));
  console.log(`${at + 1} of ${chosen.length}: ${row} ${file}:${line}: ${said}`);
  if (said !== 'red') continue;
  red += 1;
  const date = new Date().toISOString();
  addControlResult(root, { row, file, in: control.in, date, commit: headOf(root), hash: hashOf(one) });
}
console.log(`${red} of ${chosen.length} controls turn their test red`);
process.exitCode = red === chosen.length ? 0 : 1;
