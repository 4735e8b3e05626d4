import { Scratch } from './scratch.js';

/** Memory for the columns of a road build. */
export interface BuildMemory {
  /** Columns that are not needed after the build. */
  readonly scratch: Scratch;
  /** Columns that the next build compares with and reuses. */
  readonly kept: Scratch;
}

/** For a single build in this process. */
export function memoryOfOneBuild(): BuildMemory {
  const memory = new Scratch({ reuse: false });
  return { scratch: memory, kept: memory };
}
