/** @returns paths of test files from the root, by what they share: see the groups in `vitest.config.ts`. */
export function selected(
  selection: 'quick' | 'usual' | 'full',
): Readonly<Record<'together' | 'databases' | 'alone' | 'programs' | 'serial', string[]>>;

/** Paths from the root, of the files that start first in their group. */
export const longest: readonly string[];

/** What sorts paths from the root into groups and selections. */
export const patterns: readonly RegExp[];
