// What `npm run mutants` saw: one line of JSON for each module that was judged whole.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { withoutStatements } from '../prove/hash-files.js';
import { addLine, newestBy } from '../prove/result-lines.js';

const fileOf = (root) => join(root, 'tests/mutants.ndjson');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Of the mutants of each area. */
export const leastShare = 0.9;

/**
 * @typedef {{ file: string, born: number, survivors: string[], date: string, commit: string,
 *   hash: string }} MutantResult `born` mutants were made of the module; `survivors` were not noticed
 */

/**
 * What a result rests on: the module and the text of the tests that judge it.
 *
 * @param {import('../prove/source-trees.js').SourceTree} tree
 * @returns {(target: unknown[]) => string} SHA-256, the first 16 bytes in hex
 */
export function targetHashes(tree) {
  const contentOf = (path) => sha256(withoutStatements(tree.read(path) ?? 'absent'));
  return ([file, tests, from]) =>
    sha256(JSON.stringify([from ?? '', ...[file, ...tests].map(contentOf)])).slice(0, 32);
}

/**
 * @param {string} root
 * @param {import('../prove/source-trees.js').SourceTree} tree files of now
 * @returns {(target: unknown[]) => MutantResult | undefined} the newest result for the files of now, if any
 */
export function mutantResults(root, tree) {
  const byHash = newestBy(fileOf(root), 'hash');
  const hashOf = targetHashes(tree);
  return (target) => byHash.get(hashOf(target));
}

/** @param {MutantResult} result */
export function addMutantResult(root, result) {
  addLine(fileOf(root), result);
}

/**
 * @param {unknown[][]} targets of one area
 * @param {(target: unknown[]) => MutantResult | undefined} resultOf
 * @returns {{ born: number, noticed: number, missing: string[] }} `missing` are the modules without a result
 */
export function shareOf(targets, resultOf) {
  const share = { born: 0, noticed: 0, missing: [] };
  for (const target of targets) {
    const result = resultOf(target);
    if (result === undefined) share.missing.push(target[0]);
    else {
      share.born += result.born;
      share.noticed += result.born - result.survivors.length;
    }
  }
  return share;
}
