import { boxesBetween, ChangedGround } from './changed-ground.js';
import type { FoldName } from './fold-name.js';
import type { Boundary } from './gather-boundaries.js';
import type { Place } from './gazetteer.js';
import { areSame } from './memo.js';
import { haveSameNames } from './same-place.js';
import { Surroundings } from './surroundings.js';

/** Towns and areas, and where they are others than they were. */
export interface SurroundingsNow {
  readonly surroundings: Surroundings;
  readonly ground: ChangedGround;
}

/**
 * Makes surroundings, the next time the same as long as nothing of them changes. Borders are moved more often
 * than areas and towns come, go or get another name: then all keep their numbers, and only what lies between
 * the old border and the new one has changed.
 */
export class SurroundingsMemory {
  #last: Surroundings | undefined;

  get settlements(): readonly Place[] {
    return this.#last?.settlements ?? [];
  }

  of(boundaries: readonly Boundary[], settlements: readonly Place[], fold: FoldName): SurroundingsNow {
    const last = this.#last;
    if (last !== undefined && areSame(last.boundaries, boundaries) && areSame(last.settlements, settlements))
      return { surroundings: last, ground: new ChangedGround([]) };
    if (last === undefined || !areAlike(last, boundaries, settlements)) {
      this.#last = new Surroundings(boundaries, settlements, fold);
      return { surroundings: this.#last, ground: ChangedGround.everywhere };
    }
    const boxes = boundaries.flatMap(({ rings }, area) => {
      const before = last.boundaries[area]!.rings;
      return before === rings ? [] : boxesBetween(before, rings);
    });
    this.#last = last.moved(boundaries, settlements, fold);
    return { surroundings: this.#last, ground: new ChangedGround(boxes) };
  }
}

/** Whether each area and town has the same number, category (which determines the kind), name and point. */
const areAlike = (
  last: Surroundings,
  boundaries: readonly Boundary[],
  settlements: readonly Place[],
): boolean =>
  last.boundaries.length === boundaries.length &&
  last.settlements.length === settlements.length &&
  boundaries.every(({ place }, area) => isAlike(place, last.boundaries[area]!.place)) &&
  settlements.every((place, index) => isAlike(place, last.settlements[index]!));

const isAlike = (a: Place, b: Place): boolean =>
  a === b ||
  (a.key === b.key &&
    a.category === b.category &&
    a.lngE7 === b.lngE7 &&
    a.latE7 === b.latE7 &&
    haveSameNames(a, b));
