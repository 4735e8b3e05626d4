import { existsSync } from 'node:fs';

/** Where a store is written again before it takes the place of the one in `folder`. */
export const rebuildFolderOf = (folder: string): string => `${folder}.rebuilding`;

/**
 * A sentence if a rebuild of the store in `folder` began and did not end: its process was killed. Until
 * another one ends, nobody knows which of the two folders is whole, or whether both are.
 */
export const interruptedRebuild = (folder: string): string | undefined =>
  existsSync(rebuildFolderOf(folder)) ? 'its repair was interrupted, run it again' : undefined;
