import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import { foldText } from '../../index/fold-text.js';
import { identityKey, identityOf } from '../../index/place-identity.js';
import { type BoxE7, type House, newPlace, type Place, widen } from '../gazetteer/gazetteer.js';
import { areSame } from '../gazetteer/memo.js';
import { mostCommon } from '../gazetteer/most-common.js';
import type { AddressedHouse } from './extract-houses.js';
import { categoryOfReach } from './extract-places.js';

/** A few houses are more often a typing error than a town. */
const housesMin = 5;
/**
 * Step of a town's position, 1e-7 degrees: one more house does not move the town, nor anything that depends
 * on the nearest town.
 */
const stepE7 = 20_000;
/** Half of the houses of a town lie in a circle; the town reaches this many times as far. */
const reachOfHalf = 2;

/**
 * An extract cut from a town may contain its houses but not the place itself. Its position is the median of
 * the houses, because a wrong address may be far away, and its size follows from their scatter. `known` are
 * the settlements on the map; a town equal to one in `before` is the same object.
 */
export function townsOfAddresses(
  addressed: readonly AddressedHouse[],
  known: readonly Place[],
  before: readonly Place[],
): Place[] {
  const names = new Set(known.flatMap((place) => place.names.map(({ text }) => foldText(text))));
  const missing = new Map<string, MissingTown>();
  const folded = new Map<string, string>();
  for (const { house } of addressed) {
    const { city, lngE7, latE7 } = house;
    if (city === '') continue;
    const name = folded.get(city) ?? foldText(city);
    folded.set(city, name);
    if (names.has(name)) continue;
    const box: BoxE7 = [lngE7, latE7, lngE7, latE7];
    const found = missing.get(name);
    if (found === undefined)
      missing.set(name, { house, texts: [city], box, lngsE7: [lngE7], latsE7: [latE7] });
    else {
      found.texts.push(city);
      found.lngsE7.push(lngE7);
      found.latsE7.push(latE7);
      widen(found.box, box);
    }
  }
  return [...missing.values()]
    .filter(({ texts }) => texts.length >= housesMin)
    .map(({ house, texts, box, lngsE7, latsE7 }) => {
      const [lngE7, latE7] = [lngsE7, latsE7].map((each) => stepE7 * Math.round(median(each) / stepE7)) as [
        number,
        number,
      ];
      const kmPerLngE7 = metersPerLngDegree(latE7 / 1e7) / 1e10;
      const distancesKm = lngsE7.map((lng, i) =>
        Math.hypot((lng - lngE7) * kmPerLngE7, ((latsE7[i]! - latE7) * metersPerDegree) / 1e10),
      );
      const town = newPlace({
        kind: 'settlement',
        category: categoryOfReach(reachOfHalf * median(distancesKm)),
        names: [{ language: '', text: mostCommon(texts) }],
        lngE7,
        latE7,
        box,
        key: identityKey('addressTown', identityOf(house.key).id),
        importance: 0.8,
      });
      return before.find((each) => isSameTown(each, town)) ?? town;
    });
}

interface MissingTown {
  /** The first house with its name. */
  readonly house: House;
  readonly texts: string[];
  readonly box: BoxE7;
  readonly lngsE7: number[];
  readonly latsE7: number[];
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const isSameTown = (a: Place, b: Place): boolean =>
  a.key === b.key &&
  a.category === b.category &&
  a.lngE7 === b.lngE7 &&
  a.latE7 === b.latE7 &&
  a.names[0]?.text === b.names[0]?.text &&
  areSame(a.box, b.box);
