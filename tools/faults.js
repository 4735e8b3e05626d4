// `npx meridian bench faults [ROW…]`: runs scenarios of the fault matrix, each with its known-bad control,
// and records the results; `--list` shows the state of each. Exit code 1 when a row failed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { selected } from '../tests/selection.js';
import { allEvidence } from './acceptance/all-evidence.js';
import { stateOf } from './faults/render-report.js';
import { runScenario } from './faults/run-scenario.js';
import {
  addresses,
  definitionOfScenario,
  faultScenarios,
  needsServers,
  serverVariables,
} from './faults/scenarios.js';
import { hashFiles } from './prove/hash-files.js';
import { addResult, lastResults } from './prove/results.js';
import { committedTree, headOf, workingTree } from './prove/source-trees.js';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
// A mutant is made in a copy, which has no servers of its own.
process.env.MERIDIAN_INFRA_DATA ??= `${root}data/infra`;
const { values, positionals: rows } = parseArgs({
  options: { list: { type: 'boolean' } },
  allowPositionals: true,
});
const all = faultScenarios(root, allEvidence(root));
for (const row of rows)
  if (!all.some((one) => one.row === row)) {
    console.error(`${row} is no row of the fault matrix: there are F1 to F${all.length}.`);
    process.exit(2);
  }
const chosen = all.filter(({ row }) => rows.length === 0 || rows.includes(row));

function list() {
  const results = lastResults(root);
  for (const one of chosen)
    console.log(`${one.row.padEnd(4)} ${stateOf(one, results.get(one.row)).padEnd(12)} ${one.fault}`);
}

/** A result belongs to a commit: without one, or with changed files, it is printed and not kept. */
function record(one, definition, ran) {
  const commit = headOf(root);
  const committed = committedTree(root, commit);
  const hash = hashFiles(workingTree(root), definition.entries);
  if (committed === undefined || hash !== hashFiles(committed, definition.entries)) {
    console.log(`${one.row}: not recorded, its files differ from the commit.`);
    return;
  }
  const node = process.version;
  const name = one.row;
  addResult(root, { name, ...ran, commit, hash, node, definition });
}

function run() {
  if (spawnSync(process.execPath, ['tools/build.js'], { stdio: 'inherit' }).status !== 0) process.exit(1);
  const [quick, git] = [new Set(Object.values(selected('quick')).flat()), headOf(root)];
  const counts = { passed: 0, failed: 0, left: 0 };
  const servers = serverVariables.map((variable) => [variable, process.env[variable]]);
  for (const one of chosen) {
    for (const [variable, given] of servers) if (given !== undefined) process.env[variable] = given;
    const missing = addresses.filter((variable) => process.env[variable] === undefined);
    if (one.tests.length === 0 || (needsServers(one) && missing.length > 0)) {
      const why = one.tests.length === 0 ? 'has no scenario yet' : `needs ${missing.join(', ')} (infra/up)`;
      console.log(`${one.row}: left out, ${why}.`);
      counts.left += 1;
      continue;
    }
    // Programs of the other rows would use the servers, too.
    if (!needsServers(one)) for (const variable of serverVariables) delete process.env[variable];
    const date = new Date().toISOString();
    const ran = { date, ...runScenario(root, one, console.log, (file) => !quick.has(file)) };
    console.log(`${one.row}: ${ran.outcome} after ${ran.seconds} s: ${one.fault}`);
    counts[ran.outcome] += 1;
    if (git !== '') record(one, definitionOfScenario(one), ran);
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.left} left out`);
  // The page shows the results.
  spawnSync(process.execPath, ['tools/acceptance.js'], { stdio: 'inherit' });
  if (counts.failed > 0) process.exitCode = 1;
}

if (values.list) list();
else run();
