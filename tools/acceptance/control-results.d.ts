import type { SourceTree } from '../prove/source-trees.js';

export interface Controlled {
  /** The text of the test. */
  readonly test?: string;
  readonly control: { readonly in: string; readonly change: string; readonly to: string };
}

export function controlHashes(tree: SourceTree): (evidence: Controlled) => string;
