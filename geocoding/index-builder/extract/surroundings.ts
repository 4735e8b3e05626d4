import { type AreaColumns, Areas } from '../../index/areas.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import type { Place } from '../gazetteer/gazetteer.js';
import { type Boundary, columnsOf } from './extract-boundaries.js';
import { settlementFinder } from './settlement-finder.js';

/** Areas around a point. */
export interface AreaSet {
  /** Among all sets. */
  readonly number: number;
  /** Numbers of the areas, the smallest area first. */
  readonly areas: readonly number[];
}

/** A tree of sets: each node is the set of its parent with one more area. */
class SetBranch implements AreaSet {
  readonly number: number;
  readonly areas: readonly number[];
  readonly #all: AreaSet[];
  readonly #larger = new Map<number, SetBranch>();

  constructor(areas: readonly number[], all: AreaSet[]) {
    this.areas = areas;
    this.number = all.push(this) - 1;
    this.#all = all;
  }

  with(area: number): SetBranch {
    let branch = this.#larger.get(area);
    if (branch === undefined) {
      branch = new SetBranch([...this.areas, area], this.#all);
      this.#larger.set(area, branch);
    }
    return branch;
  }
}

/** The data that does not depend on borders. */
interface Finders {
  readonly nearest: (lngE7: number, latE7: number) => Place | undefined;
  /** Keys of towns. */
  readonly byName: ReadonlyMap<string, number>;
  /** By key. */
  readonly townOf: ReadonlyMap<number, number>;
  readonly noAreas: SetBranch;
  readonly areaSets: readonly AreaSet[];
}

function findersOf(towns: readonly Place[], settlements: readonly Place[], fold: FoldName): Finders {
  const byName = new Map<string, number>();
  for (const { names, key } of settlements) for (const { text } of names) byName.set(fold(text), key);
  const areaSets: AreaSet[] = [];
  return {
    nearest: settlementFinder(settlements),
    byName,
    townOf: new Map(towns.map(({ key }, town) => [key, town])),
    noAreas: new SetBranch([], areaSets),
    areaSets,
  };
}

/** Towns, villages and administrative areas around points. Immutable. Towns are returned by key. */
export class Surroundings {
  readonly boundaries: readonly Boundary[];
  readonly settlements: readonly Place[];
  /** Both, by number. Some are both. */
  readonly towns: readonly Place[];
  /** Rings of the boundaries, in their order. */
  readonly columns: AreaColumns;
  readonly #areas: Areas;
  readonly #finders: Finders;

  /** `settlements` include boundaries. */
  constructor(
    boundaries: readonly Boundary[],
    settlements: readonly Place[],
    fold: FoldName,
    finders?: Finders,
  ) {
    this.boundaries = boundaries;
    this.settlements = settlements;
    this.towns = [...settlements, ...boundaries.map(({ place }) => place)];
    this.columns = columnsOf(boundaries.map(({ rings }) => rings));
    this.#areas = new Areas(this.columns);
    this.#finders = finders ?? findersOf(this.towns, settlements, fold);
  }

  /** The same towns and areas with other borders. */
  moved(boundaries: readonly Boundary[], settlements: readonly Place[], fold: FoldName): Surroundings {
    return new Surroundings(boundaries, settlements, fold, this.#finders);
  }

  /** All sets of areas that were requested, by number. */
  get areaSets(): readonly AreaSet[] {
    return this.#finders.areaSets;
  }

  /** Number of the town or area of a key. */
  townOf(key: number): number {
    return this.#finders.townOf.get(key)!;
  }

  /** The smallest town or village around a point, else the nearest. */
  settlementOf(lngE7: number, latE7: number): number | undefined {
    return this.#settlementAmong(this.#areas.at(lngE7, latE7)) ?? this.nearestTo(lngE7, latE7);
  }

  /** The town or village whose name reaches a point first. */
  nearestTo(lngE7: number, latE7: number): number | undefined {
    return this.#finders.nearest(lngE7, latE7)?.key;
  }

  /** The smallest area that is a town or village. */
  settlementIn({ areas }: AreaSet): number | undefined {
    return this.#settlementAmong(areas);
  }

  #settlementAmong(areas: readonly number[]): number | undefined {
    for (const area of areas) {
      const { place } = this.boundaries[area]!;
      if (place.kind === 'settlement') return place.key;
    }
    return undefined;
  }

  /** By its folded name in an address; -1 for the empty name. */
  named(folded: string): number | undefined {
    return folded === '' ? undefined : this.#finders.byName.get(folded);
  }

  /** The areas larger than `own`, the area of the place itself. Equal sets are the same object. */
  areasAt(lngE7: number, latE7: number, own = -1): AreaSet {
    let branch = this.#finders.noAreas;
    for (const area of this.#areas.at(lngE7, latE7)) if (area > own) branch = branch.with(area);
    return branch;
  }
}
