/** @returns paths of test files from the root, by what they share: see the groups in `vitest.config.ts`. */
export function selected(
  selection: 'quick' | 'usual' | 'full',
): Readonly<Record<'together' | 'databases' | 'alone' | 'serial', string[]>>;
