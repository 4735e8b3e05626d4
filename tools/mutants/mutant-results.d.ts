import type { SourceTree } from '../prove/source-trees.js';

/** Path of the module, those of its tests, and where in the module the judged part begins. */
export type Target = readonly [
  file: string,
  tests: readonly string[],
  from?: string | { readonly sql: string },
];

export interface JudgedMutants {
  readonly born: number;
  /** `line: was → to` of each that no test noticed. */
  readonly survivors: readonly string[];
}

export function targetHashes(tree: SourceTree): (target: Target) => string;

export function shareOf(
  targets: readonly Target[],
  resultOf: (target: Target) => JudgedMutants | undefined,
): { readonly born: number; readonly noticed: number; readonly missing: readonly string[] };
