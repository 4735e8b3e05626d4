/** States of a row, from the best to the worst. */
export const states = ['proven', 'scaled down', 'partial', 'named only', 'not yet'];

/**
 * @param {{ scaled?: string, missing?: string, proof?: string }[]} evidence of one row
 * @param {number} names how many files name the row in a title
 * @param {(proof: string) => boolean} passed whether the last run of that name passed
 * @returns {string} one of `states`
 */
export function rowState(evidence, names, passed) {
  if (evidence.length === 0) return names > 0 ? 'named only' : 'not yet';
  if (evidence.some(({ missing }) => missing !== undefined)) return 'partial';
  const isSmaller = ({ scaled, proof }) => scaled !== undefined && !(proof !== undefined && passed(proof));
  return evidence.some(isSmaller) ? 'scaled down' : 'proven';
}
