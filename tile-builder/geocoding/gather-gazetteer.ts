import { distanceM } from '#routing-engine/earth.js';
import { Areas } from './areas.js';
import { foldText } from './fold-text.js';
import { type Boundary, columnsOf, gatherBoundaries } from './gather-boundaries.js';
import {
  type AddressedHouse,
  completeHouses,
  housesOf,
  housesOnLines,
  streetsOfMembers,
} from './gather-houses.js';
import { locatedElements, placeOf } from './gather-places.js';
import { type FoldName, gatherStreets, type Street } from './gather-streets.js';
import { type BoxE7, boxOf, type House, identityKey, type Place, widen } from './gazetteer.js';
import { settlementFinder } from './settlement-finder.js';
import type { TellingElements } from './telling-elements.js';

/** Everything that can be looked up by name, ordered by identity. Streets hold their houses. */
export interface Gazetteer {
  readonly places: readonly Place[];
  /** Administrative areas, the smallest first; their places are among `places`. */
  readonly boundaries: readonly Boundary[];
  readonly areas: Areas;
  /** ISO code that most addresses give, upper case; may be empty. */
  readonly country: string;
}

/** A house whose street is farther than this from every road of that name has a street of its own. */
const streetReachM = 1_500;

export function gatherGazetteer(elements: TellingElements, fold: FoldName): Gazetteer {
  let settlements: Place[] = [];
  let others: Place[] = [];
  const addressed: AddressedHouse[] = [];
  const countries = new Map<string, number>();
  const streetsByMember = streetsOfMembers(elements.all);
  for (const element of locatedElements(elements)) {
    const place = placeOf(element);
    if (place !== undefined) (place.kind === 'settlement' ? settlements : others).push(place);
    for (const house of housesOf(element, streetsByMember)) addressed.push(house);
    const country = element.tags.get('addr:country');
    if (country !== undefined && /^[A-Za-z]{2}$/.test(country)) count(countries, country.toUpperCase());
  }
  for (const house of housesOnLines(elements, streetsByMember)) addressed.push(house);
  const boundaries = gatherBoundaries(elements.all, [...settlements, ...others]);
  const bounded = new Set(boundaries.map(({ place }) => place.key));
  const administered = boundaries.map(({ place }) => place);
  const isSettlement = ({ kind }: Place): boolean => kind === 'settlement';
  const isPoint = ({ key }: Place): boolean => !bounded.has(key);
  settlements = [...settlements.filter(isPoint), ...administered.filter(isSettlement)];
  others = [...others.filter(isPoint), ...administered.filter((place) => !isSettlement(place))];
  settlements.push(...settlementsOfAddresses(addressed, settlements));

  const areas = new Areas(columnsOf(boundaries.map(({ rings }) => rings)));
  const nearest = settlementFinder(settlements);
  const settlementOf = (lngE7: number, latE7: number): Place | undefined => {
    const around = areas.at(lngE7, latE7).find((area) => isSettlement(administered[area]));
    return around === undefined ? nearest(lngE7, latE7) : administered[around];
  };
  const streets = gatherStreets(elements.roads, settlementOf, fold);
  const all: Place[] = [...streets, ...houseStreets(addressed, streets, settlementOf, fold)];
  const byName = new Map(
    settlements.flatMap((place) => place.names.map(({ text }) => [foldText(text), place])),
  );
  for (const street of all) {
    street.houses = completeHouses(street.houses, street.key);
    street.settlement =
      byName.get(foldText(mostCommon(street.houses.map(({ city }) => city)))) ?? street.settlement;
    if (street.postcode === '') street.postcode = mostCommon(street.houses.map(({ postcode }) => postcode));
  }
  for (const place of others)
    if (place.kind !== 'region' && place.kind !== 'country')
      place.settlement = settlementOf(place.lngE7, place.latE7);
  return {
    boundaries,
    areas,
    places: [...settlements, ...others, ...all].sort((a, b) => a.key - b.key),
    country: mostCommon(
      [...countries].flatMap(([code, times]) => Array<string>(Math.min(times, 1_000)).fill(code)),
    ),
  };
}

const count = (counts: Map<string, number>, key: string): Map<string, number> =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

/** The one that is there most often, of several the first in the alphabet; empty when there is none. */
function mostCommon(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== '') count(counts, text);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
}

/** An extract that is cut out of a town may hold its houses and not the place itself. */
function settlementsOfAddresses(addressed: readonly AddressedHouse[], known: readonly Place[]): Place[] {
  const names = new Set(known.flatMap((place) => place.names.map(({ text }) => foldText(text))));
  const missing = new Map<
    string,
    { readonly house: House; readonly texts: string[]; readonly box: BoxE7; houses: number }
  >();
  for (const { house } of addressed) {
    const folded = foldText(house.city);
    if (house.city === '' || names.has(folded)) continue;
    const box: BoxE7 = [house.lngE7, house.latE7, house.lngE7, house.latE7];
    const found = missing.get(folded);
    if (found === undefined) missing.set(folded, { house, texts: [house.city], box, houses: 1 });
    else {
      found.texts.push(house.city);
      found.houses += 1;
      widen(found.box, box);
    }
  }
  // A handful of houses is more often a slip of the pen than a town.
  return [...missing.values()]
    .filter(({ houses }) => houses >= 5)
    .map(({ house, texts, box }) => ({
      kind: 'settlement',
      category: 'town',
      names: [{ language: '', text: mostCommon(texts) }],
      lngE7: Math.round((box[0] + box[2]) / 2),
      latE7: Math.round((box[1] + box[3]) / 2),
      box,
      key: identityKey('addressTown', Math.floor(house.key / 8)),
      importance: 0.8,
      postcode: '',
      settlement: undefined,
      houses: [],
    }));
}

/** Gives each house to the nearest street of its name, and makes streets for those that have none. */
function houseStreets(
  addressed: readonly AddressedHouse[],
  streets: readonly Street[],
  settlementOf: (lngE7: number, latE7: number) => Place | undefined,
  fold: FoldName,
): Place[] {
  const byName = new Map<string, Street[]>();
  for (const street of streets)
    for (const name of new Set(street.names.map(({ text }) => fold(text)))) {
      const same = byName.get(name);
      if (same === undefined) byName.set(name, [street]);
      else same.push(street);
    }
  const made = new Map<string, Place[]>();
  for (const each of addressed) {
    const name = fold(each.street);
    if (name === '') continue;
    const near = nearestOf(byName.get(name) ?? [], each.house);
    if (near !== undefined) {
      near.houses.push(each.house);
      continue;
    }
    const { lngE7, latE7 } = each.house;
    const own = nearestOf(made.get(name) ?? [], each.house);
    if (own !== undefined) own.houses.push(each.house);
    else {
      const street: Place = {
        kind: 'street',
        category: 'address',
        names: [{ language: '', text: each.street.trim() }],
        lngE7,
        latE7,
        box: boxOf(Int32Array.of(lngE7, latE7)),
        key: identityKey(each.elementKind === 'node' ? 'addressNode' : 'addressWay', each.elementId),
        importance: 0.2,
        postcode: '',
        settlement: settlementOf(lngE7, latE7),
        houses: [each.house],
      };
      const same = made.get(name);
      if (same === undefined) made.set(name, [street]);
      else same.push(street);
    }
  }
  return [...made.values()].flat();
}

function nearestOf<Candidate extends Place>(
  candidates: readonly Candidate[],
  house: House,
): Candidate | undefined {
  let best: Candidate | undefined;
  let least = streetReachM;
  for (const street of candidates) {
    const metres =
      'ways' in street ? metresToWays(street as unknown as Street, house) : metresToBox(street.box, house);
    if (metres < least) {
      least = metres;
      best = street;
    }
  }
  return best;
}

function metresToBox([west, south, east, north]: BoxE7, { lngE7, latE7 }: House): number {
  const lng = Math.max(west, Math.min(east, lngE7));
  const lat = Math.max(south, Math.min(north, latE7));
  return distanceM(lngE7 / 1e7, latE7 / 1e7, lng / 1e7, lat / 1e7);
}

/** To the nearest vertex, which tells streets of one name apart well enough. */
function metresToWays({ box, ways }: Street, house: House): number {
  if (metresToBox(box, house) > streetReachM) return Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (const { lngLatE7 } of ways)
    for (let i = 0; i < lngLatE7.length; i += 2)
      least = Math.min(
        least,
        distanceM(house.lngE7 / 1e7, house.latE7 / 1e7, lngLatE7[i] / 1e7, lngLatE7[i + 1] / 1e7),
      );
  return least;
}
