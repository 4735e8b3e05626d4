import { type BoxE7, boxOf } from './gazetteer.js';

/** The boxes in which the town or area of a point may have changed. */
export class ChangedAreas {
  static readonly everywhere = new ChangedAreas([[-0x80000000, -0x80000000, 0x7fffffff, 0x7fffffff]]);

  readonly #boxes: readonly BoxE7[];

  constructor(boxes: readonly BoxE7[]) {
    this.#boxes = boxes;
  }

  get isEverywhere(): boolean {
    return this === ChangedAreas.everywhere;
  }

  get isNowhere(): boolean {
    return this.#boxes.length === 0;
  }

  holds(lngE7: number, latE7: number): boolean {
    for (const [west, south, east, north] of this.#boxes)
      if (lngE7 >= west && lngE7 <= east && latE7 >= south && latE7 <= north) return true;
    return false;
  }

  touches([west, south, east, north]: BoxE7): boolean {
    return this.#boxes.some((box) => box[0] <= east && box[2] >= west && box[1] <= north && box[3] >= south);
  }
}

/**
 * Boxes around the area between the previous and the present border. A ring that differs only in one section
 * changes nothing outside of the box around both sections, because a line from there to the outside crosses
 * both sections with the same parity.
 */
export function boxesBetween(before: readonly Int32Array[], after: readonly Int32Array[]): BoxE7[] {
  if (before.length !== after.length) return [...before, ...after].map(boxOf);
  return before.flatMap((ring, index) => boxesOfStretch(ring, after[index]!));
}

function boxesOfStretch(before: Int32Array, after: Int32Array): BoxE7[] {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && isSamePoint(before, first, after, first)) first += 2;
  if (first === most && before.length === after.length) return [];
  let behind = 0;
  while (behind < most && isSamePoint(before, before.length - 2 - behind, after, after.length - 2 - behind))
    behind += 2;
  // With the previous and the next point, in which both sections meet.
  return [before, after].map((ring) =>
    boxOf(ring.subarray(Math.max(0, first - 2), Math.max(first, ring.length - behind) + 2)),
  );
}

const isSamePoint = (a: Int32Array, i: number, b: Int32Array, j: number): boolean =>
  a[i] === b[j] && a[i + 1] === b[j + 1];
