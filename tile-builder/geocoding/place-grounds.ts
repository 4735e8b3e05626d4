import type { ChangedGround } from './changed-ground.js';
import type { FoldName } from './fold-name.js';
import type { House, Place } from './gazetteer.js';
import { MadeOnce } from './made-once.js';
import type { AreaSet, Surroundings } from './surroundings.js';

/** Where a row lies: the town or village of its address, and the areas around it. */
export interface Ground {
  /** Its key. */
  readonly settlement: number | undefined;
  readonly areas: AreaSet;
}

/** The ground of a place and of its houses. */
export interface Grounds extends Ground {
  readonly houses: readonly Ground[];
}

/** Says where places lie; the next time of new places alone, and of those where towns and areas are others. */
export class GroundMemory {
  readonly #grounds = new MadeOnce<Place, Grounds>(({ key }) => key);

  of(
    places: readonly Place[],
    surroundings: Surroundings,
    ground: ChangedGround,
    fold: FoldName,
  ): readonly Grounds[] {
    const stays = (_: Grounds, { lngE7, latE7, houses }: Place): boolean =>
      !(ground.holds(lngE7, latE7) || houses.some((house) => ground.holds(house.lngE7, house.latE7)));
    const areaOf = new Map(surroundings.boundaries.map(({ place }, area) => [place, area]));
    return this.#grounds.of(
      places,
      (place) => groundsOf(place, surroundings, areaOf.get(place) ?? -1, fold),
      ground.isNowhere ? undefined : stays,
    ).all;
  }
}

function groundsOf(place: Place, surroundings: Surroundings, ownArea: number, fold: FoldName): Grounds {
  const { lngE7, latE7, houses } = place;
  const areas = surroundings.areasAt(lngE7, latE7, ownArea);
  return {
    settlement: settlementOf(place, areas, surroundings),
    areas,
    houses:
      houses.length === 0
        ? noGrounds
        : houses.map((house) => groundOfHouse(house, place, surroundings, fold)),
  };
}

const noGrounds: readonly Ground[] = [];

function settlementOf(place: Place, areas: AreaSet, surroundings: Surroundings): number | undefined {
  switch (place.kind) {
    case 'street':
      return place.settlement;
    case 'poi':
    case 'suburb':
      return surroundings.settlementIn(areas) ?? surroundings.nearestTo(place.lngE7, place.latE7);
    case 'settlement':
    case 'region':
    case 'country':
      return undefined;
  }
}

/** The post may deliver to it from elsewhere than where it lies. */
function groundOfHouse(house: House, street: Place, surroundings: Surroundings, fold: FoldName): Ground {
  const areas = surroundings.areasAt(house.lngE7, house.latE7);
  return {
    settlement: surroundings.named(fold(house.city)) ?? surroundings.settlementIn(areas) ?? street.settlement,
    areas,
  };
}
