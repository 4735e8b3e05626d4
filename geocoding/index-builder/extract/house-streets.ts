import { distanceM } from '#routing-engine/network/earth.js';
import { identityKey } from '../../index/place-identity.js';
import type { ChangedAreas } from '../gazetteer/changed-areas.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import { boxOf, type House, newPlace, type Place, type Street } from '../gazetteer/gazetteer.js';
import { areSame } from '../gazetteer/memo.js';
import { mostCommon } from '../gazetteer/most-common.js';
import { type AddressedHouse, completeHouses } from './extract-houses.js';
import type { Streets } from './extract-streets.js';
import type { Surroundings } from './surroundings.js';

/** A house farther than this from every road with its street's name gets a separate street. */
const streetReachM = 1_500;

/** Houses with the same street name, and the street of each. */
interface SharedOut {
  readonly houses: readonly AddressedHouse[];
  /** Streets of that name. */
  readonly streets: readonly Street[];
  /** By house: one of the streets, or a new one. */
  readonly owners: readonly Place[];
}

/** A street with its houses. */
interface Housed {
  readonly houses: readonly House[];
  readonly place: Place;
}

/** Streets with their houses: the same objects if neither the houses nor the streets of a name changed. */
export class HouseMemory {
  #shared: ReadonlyMap<string, SharedOut> = new Map();
  #housed: ReadonlyMap<Place, Housed> = new Map();

  /**
   * Assigns each house to the nearest street of its name (the first of equally near ones), and creates
   * streets for houses without one.
   */
  of(
    addressed: readonly AddressedHouse[],
    streets: Streets,
    surroundings: Surroundings,
    ground: ChangedAreas,
    fold: FoldName,
  ): Place[] {
    const housesOf = new Map<string, AddressedHouse[]>();
    for (const house of addressed) {
      const { name } = house;
      if (name === '') continue;
      const same = housesOf.get(name);
      if (same === undefined) housesOf.set(name, [house]);
      else same.push(house);
    }
    const shared = new Map<string, SharedOut>();
    const given = new Map<Place, House[]>();
    for (const [name, houses] of housesOf) {
      const named = streets.byName.named(name);
      const isMoved = !ground.isNowhere && houses.some(({ house }) => ground.holds(house.lngE7, house.latE7));
      const before = isMoved ? undefined : this.#shared.get(name);
      const now =
        before !== undefined && areSame(before.houses, houses) && areSame(before.streets, named)
          ? before
          : { houses, streets: named, owners: ownersOf(houses, named, surroundings) };
      shared.set(name, now);
      now.owners.forEach((owner, index) => {
        const own = given.get(owner);
        if (own === undefined) given.set(owner, [houses[index]!.house]);
        else own.push(houses[index]!.house);
      });
    }
    const housed = new Map<Place, Housed>();
    for (const [street, houses] of given) {
      const before = this.#housed.get(street);
      housed.set(
        street,
        before !== undefined && areSame(before.houses, houses)
          ? before
          : { houses, place: withHouses(street, houses, surroundings, fold) },
      );
    }
    [this.#shared, this.#housed] = [shared, housed];
    return [
      ...streets.all.filter((street) => !housed.has(street)),
      ...Array.from(housed.values(), ({ place }) => place),
    ];
  }
}

function withHouses(street: Place, own: readonly House[], surroundings: Surroundings, fold: FoldName): Place {
  const houses = completeHouses(own, street.key);
  const town = surroundings.named(fold(mostCommon(houses.map(({ city }) => city))));
  const postcode = street.postcode || mostCommon(houses.map((house) => house.postcode));
  return newPlace({ ...street, houses, settlement: town ?? street.settlement, postcode });
}

function ownersOf(
  addressed: readonly AddressedHouse[],
  streets: readonly Street[],
  surroundings: Surroundings,
): Place[] {
  const made: Place[] = [];
  return addressed.map((each) => {
    const owner = nearestOf(streets, each.house, metresToWays) ?? nearestOf(made, each.house, metresToBox);
    if (owner !== undefined) return owner;
    const street = streetOfAddress(each, surroundings);
    made.push(street);
    return street;
  });
}

function streetOfAddress(
  { street, house: { lngE7, latE7 }, elementKind, elementId }: AddressedHouse,
  surroundings: Surroundings,
): Place {
  return newPlace({
    kind: 'street',
    category: 'address',
    names: [{ language: '', text: street.trim() }],
    lngE7,
    latE7,
    box: boxOf(Int32Array.of(lngE7, latE7)),
    key: identityKey(elementKind === 'node' ? 'addressNode' : 'addressWay', elementId),
    importance: 0.2,
    settlement: surroundings.settlementOf(lngE7, latE7),
  });
}

function nearestOf<Candidate extends Place>(
  candidates: readonly Candidate[],
  house: House,
  metresTo: (street: Candidate, house: House) => number,
): Candidate | undefined {
  let best: Candidate | undefined;
  let least = streetReachM;
  for (const street of candidates) {
    const metres = metresTo(street, house);
    if (metres < least) {
      least = metres;
      best = street;
    }
  }
  return best;
}

function metresToBox({ box: [west, south, east, north] }: Place, { lngE7, latE7 }: House): number {
  const lng = Math.max(west, Math.min(east, lngE7));
  const lat = Math.max(south, Math.min(north, latE7));
  return distanceM(lngE7 / 1e7, latE7 / 1e7, lng / 1e7, lat / 1e7);
}

/** To the nearest vertex, which is accurate enough to distinguish streets of the same name. */
function metresToWays(street: Street, house: House): number {
  if (metresToBox(street, house) > streetReachM) return Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (const { way } of street.road.roads) {
    const { lngLatE7 } = way;
    for (let i = 0; i < lngLatE7.length; i += 2)
      least = Math.min(
        least,
        distanceM(house.lngE7 / 1e7, house.latE7 / 1e7, lngLatE7[i] / 1e7, lngLatE7[i + 1] / 1e7),
      );
  }
  return least;
}
