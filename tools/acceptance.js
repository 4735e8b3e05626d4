// `docs/acceptance.md`: every row of the acceptance tables with what tests and benches show of it; and
// `docs/faults.md`: the fault matrix with its last results. `node tools/acceptance.js` writes both pages;
// with --check it exits with 1 when a page is not true any more. A wrong statement fails both.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allEvidence } from './acceptance/all-evidence.js';
import { controlResults, isMutant } from './acceptance/control-results.js';
import { mutantTable } from './acceptance/mutant-table.js';
import { renderPage } from './acceptance/render-page.js';
import { whereItRuns } from './acceptance/where-it-runs.js';
import { wrongControls } from './acceptance/wrong-controls.js';
import { renderReport } from './faults/render-report.js';
import { faultScenarios } from './faults/scenarios.js';
import { mutantResults } from './mutants/mutant-results.js';
import { areas as judgedAreas } from './mutants/targets.js';
import { proofState } from './prove/proof-state.js';
import { proofs } from './prove/proofs.js';
import { lastResults } from './prove/results.js';
import { workingTree } from './prove/source-trees.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { areas, rows, evidence, names, wrong } = allEvidence(root);
const known = new Set(proofs.map(({ name }) => name));
for (const { proof, file, line } of evidence)
  if (proof !== undefined && !known.has(proof)) wrong.push(`${file}:${line}: no long run is named ${proof}`);
for (const proof of proofs)
  for (const row of proof.rows) if (!rows.has(row)) wrong.push(`the run ${proof.name}: ${row} is no row`);
wrong.push(...wrongControls(root, evidence));

const results = lastResults(root);
const tree = workingTree(root);
const controlled = controlResults(root, tree);
const states = new Map(proofs.map((proof) => [proof.name, proofState(proof, results.get(proof.name), tree)]));
const stateOf = (name) => states.get(name);
for (const one of evidence)
  if (isMutant(one) && controlled(one) === undefined)
    wrong.push(
      `${one.file}:${one.line}: the control of ${one.row} has not been red for the code of now: ` +
        'run `npm run controls` and commit tests/controls.ndjson.',
    );
const pages = {
  'docs/acceptance.md': renderPage({
    areas,
    evidence,
    names,
    proofs,
    results,
    stateOf,
    controlled,
    where: whereItRuns(root),
    mutants: mutantTable(judgedAreas, mutantResults(root, tree)),
  }),
  'docs/faults.md': renderReport(faultScenarios(root, { areas, evidence }), results),
};
for (const [page, text] of Object.entries(pages)) {
  const path = join(root, page);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
    wrong.push(`${page} is not up to date: run \`node tools/acceptance.js\`.`);
}
for (const what of wrong) console.error(what);
if (wrong.length > 0) process.exitCode = 1;
