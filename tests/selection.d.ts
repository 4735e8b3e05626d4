/**
 * @returns paths of test files from the root: those that share a process, those that need one of their own, and
 * those that run alone.
 */
export function selected(selection: 'quick' | 'usual' | 'full'): {
  together: string[];
  parallel: string[];
  serial: string[];
};
