// What `npm run controls` saw: one line of JSON for each control that turned its test red.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { withoutStatements } from '../prove/hash-files.js';
import { addLine, newestBy } from '../prove/result-lines.js';

const fileOf = (root) => join(root, 'tests/controls.ndjson');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** A control that is made, not only described. */
export const isMutant = ({ control }) => control?.in !== undefined;

/**
 * What the result of a control rests on: the mutant, the file that it changes, and the text of the test. What
 * these two import is not in it: every control would expire with every change, and CI runs the test itself.
 *
 * @param {import('../prove/source-trees.js').SourceTree} tree
 * @returns {(evidence: object) => string} SHA-256, the first 16 bytes in hex
 */
export function controlHashes(tree) {
  const contents = new Map();
  const contentOf = (path) => {
    if (!contents.has(path)) contents.set(path, sha256(tree.read(path) ?? 'absent'));
    return contents.get(path);
  };
  return ({ test = '', control: { in: path, change, to } }) =>
    sha256(JSON.stringify([change, to, withoutStatements(test), contentOf(path)])).slice(0, 32);
}

/**
 * @typedef {{ row: string, file: string, in: string, date: string, commit: string,
 *   hash: string }} ControlResult
 */

/**
 * @param {string} root
 * @param {import('../prove/source-trees.js').SourceTree} tree files of now
 * @returns {(evidence: object) => ControlResult | undefined} the newest result for the files of now, if any
 */
export function controlResults(root, tree) {
  const byHash = newestBy(fileOf(root), 'hash');
  const hashOf = controlHashes(tree);
  return (evidence) => byHash.get(hashOf(evidence));
}

/** @param {ControlResult} result */
export function addControlResult(root, result) {
  addLine(fileOf(root), result);
}
