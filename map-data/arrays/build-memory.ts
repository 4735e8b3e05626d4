import { Scratch } from './scratch.js';

/** Where a build of roads puts its columns. */
export interface BuildMemory {
  /** Columns that are not needed after the build. */
  readonly scratch: Scratch;
  /** Those that the next build compares with and takes over. */
  readonly kept: Scratch;
}

/** For a build that no other one follows in this process. */
export const memoryOfOneBuild = (): BuildMemory => ({ scratch: new Scratch(), kept: new Scratch() });
