import { endsOnlyBit } from '#routing-engine/network/edge-flags.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import type { CompleteRoads } from './complete-roads.js';

/** Cell-local numbers of zones and connected parts. */
export interface LocalNumbers {
  /**
   * Their encoding in the cell's tile: by mode the zone of each node that has one, then runs of edges of one
   * part, as length and part.
   */
  readonly encoded: Uint32Array;
  /** Their numbers in the tileset; parts by mode. */
  readonly zones: readonly number[];
  readonly parts: readonly (readonly number[])[];
}

/** Numbers the zones and parts of cells, one after the other. */
export class LocalNumbering {
  readonly #arrays: CompleteRoads['arrays'];
  #encoded = new Uint32Array(1024);
  #count = 0;
  #ofNode = new Uint32Array(256);

  constructor({ arrays }: CompleteRoads) {
    this.#arrays = arrays;
  }

  /** `entries` are the edges that lead into the cell. */
  of(cell: number, entries: Uint32Array): LocalNumbers {
    this.#count = 0;
    const zones: number[] = [];
    const parts: number[][] = [];
    for (let mode = 0; mode < travelModes.length; mode++) {
      this.#appendZones(cell, entries, mode, zones);
      const called: number[] = [];
      this.#appendParts(cell, entries, mode, called);
      parts.push(called);
    }
    return { encoded: this.#encoded.slice(0, this.#count), zones, parts };
  }

  #append(number: number): void {
    if (this.#count === this.#encoded.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#encoded);
      this.#encoded = larger;
    }
    this.#encoded[this.#count++] = number;
  }

  /** By node that has one, the place of its zone in `called`, which grows. */
  #appendZones(cell: number, entries: Uint32Array, mode: number, called: number[]): void {
    const { zone, flags, tail, head, cellFirstNode, cellFirstEdge } = this.#arrays;
    const row = mode * tail.length;
    const bit = endsOnlyBit(mode);
    const first = cellFirstNode[cell];
    const end = cellFirstNode[cell + 1];
    if (end - first > this.#ofNode.length) this.#ofNode = new Uint32Array(2 * (end - first));
    const ofNode = this.#ofNode;
    let any = false;
    const meet = (edge: number): void => {
      if ((flags[edge] & bit) === 0 || zone[row + edge] === 0) return;
      any = true;
      if (tail[edge] >= first && tail[edge] < end) ofNode[tail[edge] - first] = zone[row + edge];
      if (head[edge] >= first && head[edge] < end) ofNode[head[edge] - first] = zone[row + edge];
    };
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) meet(edge);
    for (let i = 0; i < entries.length; i++) meet(entries[i]);
    if (!any) return;
    for (let node = 0; node < end - first; node++) {
      if (ofNode[node] !== 0) this.#append(placeIn(called, ofNode[node]));
      ofNode[node] = 0;
    }
  }

  #appendParts(cell: number, entries: Uint32Array, mode: number, called: number[]): void {
    const { part, speedKph, tail, cellFirstEdge } = this.#arrays;
    const row = mode * tail.length;
    const firstEdge = cellFirstEdge[cell];
    const own = cellFirstEdge[cell + 1] - firstEdge;
    let number = -1;
    let length = 0;
    for (let i = 0; i < own + entries.length; i++) {
      const at = row + (i < own ? firstEdge + i : entries[i - own]);
      if (speedKph[at] === 0) continue;
      if (part[at] !== number) {
        if (length > 0) {
          this.#append(length);
          this.#append(placeIn(called, number));
        }
        number = part[at];
        length = 0;
      }
      length++;
    }
    if (length === 0) return;
    this.#append(length);
    this.#append(placeIn(called, number));
  }
}

function placeIn(called: number[], number: number): number {
  const place = called.lastIndexOf(number);
  return place < 0 ? called.push(number) - 1 : place;
}
