import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The stages of a map with fewer edges leave too little behind. */
const edgesLeast = 250_000;

let collect: (() => void) | undefined;

/**
 * Frees what nothing refers to, at the end of a stage with this number of edges. Columns lie outside of the
 * engine's heap, and the engine may collect them only after the next stage has allocated as much again. It
 * takes a tenth of a second.
 */
export function freeUnused(edges: number): void {
  if (edges < edgesLeast) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collect();
}
