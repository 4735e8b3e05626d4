import { boxesBetween, ChangedAreas } from '../gazetteer/changed-areas.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import type { Place } from '../gazetteer/gazetteer.js';
import { areSame } from '../gazetteer/memo.js';
import type { Boundary } from './extract-boundaries.js';
import { haveSameNames } from './same-place.js';
import { Surroundings } from './surroundings.js';

/** Towns and areas, and where they have changed. */
export interface SurroundingsNow {
  readonly surroundings: Surroundings;
  readonly ground: ChangedAreas;
}

/**
 * Builds the surroundings and reuses them as long as nothing changes. Borders move more often than areas and
 * towns are added, removed or renamed: then all keep their numbers, and only the area between the previous
 * and the new border has changed.
 */
export class SurroundingsCache {
  #last: Surroundings | undefined;

  get settlements(): readonly Place[] {
    return this.#last?.settlements ?? [];
  }

  of(boundaries: readonly Boundary[], settlements: readonly Place[], fold: FoldName): SurroundingsNow {
    const last = this.#last;
    if (last !== undefined && areSame(last.boundaries, boundaries) && areSame(last.settlements, settlements))
      return { surroundings: last, ground: new ChangedAreas([]) };
    if (last === undefined || !areAlike(last, boundaries, settlements)) {
      this.#last = new Surroundings(boundaries, settlements, fold);
      return { surroundings: this.#last, ground: ChangedAreas.everywhere };
    }
    const boxes = boundaries.flatMap(({ rings }, area) => {
      const before = last.boundaries[area]!.rings;
      return before === rings ? [] : boxesBetween(before, rings);
    });
    this.#last = last.moved(boundaries, settlements, fold);
    return { surroundings: this.#last, ground: new ChangedAreas(boxes) };
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
