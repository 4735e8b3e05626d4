import { type AreaColumns, Areas } from './areas.js';
import type { FoldName } from './fold-name.js';
import { type Boundary, columnsOf } from './gather-boundaries.js';
import type { Place } from './gazetteer.js';
import { settlementFinder } from './settlement-finder.js';

/** Numbers of the areas around a point, the smallest first. */
export type AreaSet = readonly number[];

/** A tree of sets: each branch is the set of those before it and one area more. */
class SetBranch {
  readonly areas: AreaSet;
  readonly #larger = new Map<number, SetBranch>();

  constructor(areas: AreaSet) {
    this.areas = areas;
  }

  with(area: number): SetBranch {
    let branch = this.#larger.get(area);
    if (branch === undefined) {
      branch = new SetBranch([...this.areas, area]);
      this.#larger.set(area, branch);
    }
    return branch;
  }
}

/** Towns, villages and administrative areas: where something is. It never changes. */
export class Surroundings {
  readonly boundaries: readonly Boundary[];
  readonly settlements: readonly Place[];
  /** Rings of the boundaries, in their order. */
  readonly columns: AreaColumns;
  readonly #areas: Areas;
  readonly #nearest: (lngE7: number, latE7: number) => Place | undefined;
  readonly #byName = new Map<string, Place>();
  readonly #sets = new SetBranch([]);

  /** `settlements` hold those that are boundaries too. */
  constructor(boundaries: readonly Boundary[], settlements: readonly Place[], fold: FoldName) {
    this.boundaries = boundaries;
    this.settlements = settlements;
    this.columns = columnsOf(boundaries.map(({ rings }) => rings));
    this.#areas = new Areas(this.columns);
    this.#nearest = settlementFinder(settlements);
    for (const place of settlements) for (const { text } of place.names) this.#byName.set(fold(text), place);
  }

  /** The smallest town or village around a point, else the nearest. */
  settlementOf(lngE7: number, latE7: number): Place | undefined {
    return this.settlementIn(this.#areas.at(lngE7, latE7)) ?? this.nearestTo(lngE7, latE7);
  }

  /** The town or village whose name reaches a point first. */
  nearestTo(lngE7: number, latE7: number): Place | undefined {
    return this.#nearest(lngE7, latE7);
  }

  /** The smallest area that is a town or village. */
  settlementIn(areas: AreaSet): Place | undefined {
    for (const area of areas) {
      const { place } = this.boundaries[area]!;
      if (place.kind === 'settlement') return place;
    }
    return undefined;
  }

  /** By the folded name that an address gives it; the empty one is nowhere. */
  named(folded: string): Place | undefined {
    return folded === '' ? undefined : this.#byName.get(folded);
  }

  /** Those that are larger than the area that the place itself is, `own`. Equal sets are the same object. */
  areasAt(lngE7: number, latE7: number, own = -1): AreaSet {
    let branch = this.#sets;
    for (const area of this.#areas.at(lngE7, latE7)) if (area > own) branch = branch.with(area);
    return branch.areas;
  }
}
