/** Files of the project, by their path from the root. */
export interface SourceTree {
  read(path: string): Buffer | undefined;
  /** Paths of the files in a folder. */
  list(folder: string): string[];
}
/** @returns what lies in the folder now. */
export function workingTree(root: string): SourceTree;
/** @returns undefined if the clone does not have the commit. */
export function committedTree(root: string, commit: string): SourceTree | undefined;
