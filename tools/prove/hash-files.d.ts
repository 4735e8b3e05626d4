import type { SourceTree } from './source-trees.js';

/** @returns the entries and all that they import, directly or not; sorted paths from the root. */
export function filesOf(tree: SourceTree, entries: readonly string[]): string[];
/** @returns hash over these files and the packages of production. */
export function hashFiles(tree: SourceTree, entries: readonly string[]): string;
