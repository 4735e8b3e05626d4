// `npm run prove`: runs, one after the other, what is too long for CI and has no valid result. A result is
// written when its run ends, so whoever stops it loses the run under way and nothing else.
// `npm run prove -- stops M-006` takes runs by name or row; `--again` takes valid ones too;
// `--list` shows the state of each; `--check` prints one line and fails if a result belies its commit.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hashFiles } from './prove/hash-files.js';
import { claimOf, definitionOf, proofState } from './prove/proof-state.js';
import { proofs } from './prove/proofs.js';
import { addResult, lastResults } from './prove/results.js';
import { runProof } from './prove/run-proof.js';
import { committedTree, headOf, workingTree } from './prove/source-trees.js';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const { values, positionals: words } = parseArgs({
  options: { list: { type: 'boolean' }, check: { type: 'boolean' }, again: { type: 'boolean' } },
  allowPositionals: true,
});
const results = lastResults(root);
const tree = workingTree(root);
const stateOf = (proof) => proofState(proof, results.get(proof.name), tree);
const chosen = proofs.filter(
  ({ name, rows }) => words.length === 0 || words.some((word) => word === name || rows.includes(word)),
);
if (chosen.length === 0) {
  console.error(`No run has this name or row. There are: ${proofs.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

function list() {
  for (const proof of chosen) {
    const { date = '', commit = '', seconds = 0 } = results.get(proof.name) ?? {};
    const last = date === '' ? '' : `${date.slice(0, 10)} ${commit.slice(0, 10)} ${seconds} s`;
    console.log(`${stateOf(proof).padEnd(8)} ${proof.name.padEnd(20)} ${last.padEnd(32)} ${proof.shows}`);
  }
}

function check() {
  const trees = new Map();
  const treeAt = (commit) => {
    if (!trees.has(commit)) trees.set(commit, committedTree(root, commit));
    return trees.get(commit);
  };
  const claims = [...results.values()].map((result) => [result, claimOf(result, treeAt(result.commit))]);
  for (const [{ name, commit }, claim] of claims)
    if (claim === 'wrong') {
      console.error(`${name}: the hash of its result is not that of the files of ${commit}.`);
      process.exitCode = 1;
    }
  const of = (state) => proofs.filter((proof) => stateOf(proof) === state).map(({ name }) => name);
  const said = ['valid', 'expired', 'failed', 'never']
    .map((state) => [state, of(state)])
    .filter(([, names]) => names.length > 0)
    .map(([state, names]) => `${names.length} ${state}${state === 'valid' ? '' : ` (${names.join(', ')})`}`);
  const unknown = claims.filter(([, claim]) => claim === 'unknown').length;
  if (unknown > 0) said.push(`${unknown} of commits that this clone does not have`);
  console.log(`Long runs: ${said.join('; ')}.`);
}

async function run() {
  if (spawnSync(process.execPath, ['tools/build.js'], { stdio: 'inherit' }).status !== 0) process.exit(1);
  const commit = headOf(root);
  const committed = committedTree(root, commit);
  for (const proof of chosen) {
    const { name, needs = [], entries } = proof;
    if (stateOf(proof) === 'valid' && !values.again) {
      console.log(`${name}: its result is valid.`);
      continue;
    }
    const missing = needs.filter((variable) => process.env[variable] === undefined);
    const hash = hashFiles(tree, entries);
    if (missing.length > 0) console.log(`${name}: left out, needs ${missing.join(', ')} in the environment.`);
    else if (hash !== hashFiles(committed, entries)) {
      console.error(`${name}: left out, its files differ from the commit; a result is of a commit.`);
      process.exitCode = 1;
    } else {
      console.log(`${name}: ${proof.shows}`);
      const date = new Date().toISOString();
      const { outcome, seconds, figures } = await runProof(proof, root);
      console.log(`${name}: ${outcome} after ${seconds} s`);
      if (outcome === 'interrupted') process.exit(130);
      if (hash !== hashFiles(tree, entries)) {
        console.error(`${name}: not recorded, its files were changed while it ran.`);
        process.exitCode = 1;
        continue;
      }
      const node = process.version;
      addResult(root, {
        ...{ name, outcome, date, commit, hash, seconds, node, figures },
        definition: definitionOf(proof),
      });
      // The page shows the result.
      spawnSync(process.execPath, ['tools/acceptance.js'], { stdio: 'inherit' });
      if (outcome === 'failed') process.exitCode = 1;
    }
  }
}

if (values.list) list();
else if (values.check) check();
else await run();
