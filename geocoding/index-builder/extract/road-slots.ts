import { NOTHING } from '../../index/index-file.js';
import type { Road } from '../gazetteer/road.js';

/** Slots of roads: a road keeps its slot as long as it exists, so that records refer to it by number. */
export class RoadSlots {
  readonly #free: number[] = [];
  #count = 0;

  take(): number {
    return this.#free.pop() ?? this.#count++;
  }

  /** Frees the slot of a removed road when no record refers to it. */
  release(slot: number): void {
    this.#free.push(slot);
  }

  /**
   * Numbers the roads that any mode may use: the ids of their ways, which ascend as the roads do, and the
   * number of each by the slot of its road.
   */
  number(roads: readonly Road[]): { readonly wayId: Float64Array; readonly wayOfSlot: Uint32Array } {
    const wayOfSlot = new Uint32Array(this.#count).fill(NOTHING);
    const wayId = new Float64Array(roads.length);
    let count = 0;
    for (const { slot, modes, way } of roads) {
      if (modes === 0) continue;
      wayOfSlot[slot] = count;
      wayId[count++] = way.id;
    }
    return { wayId: wayId.subarray(0, count), wayOfSlot };
  }
}
