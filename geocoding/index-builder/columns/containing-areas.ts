import type { AreaSet, Surroundings } from '../extract/surroundings.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import type { House, Place } from '../gazetteer/gazetteer.js';

/** Where a row lies. */
export interface ContainingAreas {
  /** Number of the town or village of its address; -1: none. */
  readonly town: number;
  readonly areas: AreaSet;
}

export interface ContainingAreasFinder {
  ofPlace(place: Place): ContainingAreas;
  ofHouse(house: House, street: Place): ContainingAreas;
}

/** Says where places lie. */
export function containingAreasFinder(surroundings: Surroundings, fold: FoldName): ContainingAreasFinder {
  const areaOf = new Map(surroundings.boundaries.map(({ place }, area) => [place, area]));
  const groundOf = (settlement: number | undefined, areas: AreaSet): ContainingAreas => ({
    town: settlement === undefined ? -1 : surroundings.townOf(settlement),
    areas,
  });
  return {
    ofPlace: (place) => {
      const areas = surroundings.areasAt(place.lngE7, place.latE7, areaOf.get(place) ?? -1);
      return groundOf(settlementOf(place, areas, surroundings), areas);
    },
    // Its postal town may differ from the town in which it is.
    ofHouse: ({ lngE7, latE7, city }, street) => {
      const areas = surroundings.areasAt(lngE7, latE7);
      const settlement =
        surroundings.named(fold(city)) ?? surroundings.settlementIn(areas) ?? street.settlement;
      return groundOf(settlement, areas);
    },
  };
}

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
