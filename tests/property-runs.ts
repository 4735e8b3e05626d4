/**
 * Cases of a property: all of them in the full selection and when vitest is called directly, a fifth in the
 * smaller selections. The seed is the same, so the fifth is the first cases of all.
 */
const part = ['quick', 'usual'].includes(process.env['TESTS'] ?? 'full') ? 0.2 : 1;

export const runs = (full: number): number => Math.ceil(full * part);
