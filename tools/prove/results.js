// Results of long runs: one line of JSON for each, in the order in which they ended. The newest counts.
import { join } from 'node:path';
import { addLine, newestBy } from './result-lines.js';

const fileOf = (root) => join(root, 'tests/proofs.ndjson');

/** @returns {Map<string, object>} name of the proof → its newest result */
export const lastResults = (root) => newestBy(fileOf(root), 'name');

export function addResult(root, result) {
  addLine(fileOf(root), result);
}
