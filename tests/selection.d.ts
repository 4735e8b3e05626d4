/** @returns paths of test files from the root: those that may run side by side, and those that run alone. */
export function selected(selection: 'quick' | 'usual' | 'full'): {
  parallel: string[];
  serial: string[];
};
