// Results of long runs: one line of JSON for each, in the order in which they ended. The newest counts.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const fileOf = (root) => join(root, 'tests/proofs.ndjson');

/** @returns {Map<string, object>} name of the proof → its newest result */
export function lastResults(root) {
  const file = fileOf(root);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const results = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
  return new Map(results.map((result) => [result.name, result]));
}

export function addResult(root, result) {
  appendFileSync(fileOf(root), `${JSON.stringify(result)}\n`);
}
