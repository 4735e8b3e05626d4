import { hashFiles } from './hash-files.js';

/** What a proof runs: when this changes, the result is one of something else. */
export const definitionOf = ({ command, env = {}, entries }) => ({ command, env, entries });

/**
 * @param {object} proof
 * @param {object | undefined} result its newest
 * @param {import('./source-trees.js').SourceTree} tree files of now
 * @returns {'valid' | 'expired' | 'failed' | 'never'}
 */
export function proofState(proof, result, tree) {
  if (result === undefined) return 'never';
  const isSame =
    JSON.stringify(result.definition) === JSON.stringify(definitionOf(proof)) &&
    result.hash === hashFiles(tree, proof.entries);
  if (!isSame) return 'expired';
  return result.outcome === 'passed' ? 'valid' : 'failed';
}

/**
 * A result says of which commit it is: the hash must be that of the files of this commit.
 *
 * @param {object} result
 * @param {import('./source-trees.js').SourceTree | undefined} tree files of its commit
 * @returns {'right' | 'wrong' | 'unknown'} unknown without the commit: a shallow clone, a rebased branch
 */
export function claimOf(result, tree) {
  if (tree === undefined) return 'unknown';
  return hashFiles(tree, result.definition.entries) === result.hash ? 'right' : 'wrong';
}
