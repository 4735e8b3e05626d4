import type { SourceTree } from '../prove/source-trees.js';

export interface Controlled {
  readonly file: string;
  readonly title: string;
  readonly control: { readonly in: string; readonly change: string; readonly to: string };
}

export function controlHashes(tree: SourceTree): (evidence: Controlled) => string;
