import { foldText } from './fold-text.js';
import type { AddressedHouse } from './gather-houses.js';
import { type BoxE7, type House, identityKey, newPlace, type Place, widen } from './gazetteer.js';
import { areSame } from './made-once.js';
import { mostCommon } from './most-common.js';

/** A handful of houses is more often a slip of the pen than a town. */
const housesMin = 5;

/**
 * An extract that is cut out of a town may hold its houses and not the place itself. `known` are the settlements on the map; a town that is
 * the same as one of those `before` is that object.
 */
export function townsOfAddresses(
  addressed: readonly AddressedHouse[],
  known: readonly Place[],
  before: readonly Place[],
): Place[] {
  const names = new Set(known.flatMap((place) => place.names.map(({ text }) => foldText(text))));
  const missing = new Map<string, { readonly house: House; readonly texts: string[]; readonly box: BoxE7 }>();
  const folded = new Map<string, string>();
  for (const { house } of addressed) {
    const { city, lngE7, latE7 } = house;
    if (city === '') continue;
    const name = folded.get(city) ?? foldText(city);
    folded.set(city, name);
    if (names.has(name)) continue;
    const box: BoxE7 = [lngE7, latE7, lngE7, latE7];
    const found = missing.get(name);
    if (found === undefined) missing.set(name, { house, texts: [city], box });
    else {
      found.texts.push(city);
      widen(found.box, box);
    }
  }
  return [...missing.values()]
    .filter(({ texts }) => texts.length >= housesMin)
    .map(({ house, texts, box }) => {
      const town = newPlace({
        kind: 'settlement',
        category: 'town',
        names: [{ language: '', text: mostCommon(texts) }],
        lngE7: Math.round((box[0] + box[2]) / 2),
        latE7: Math.round((box[1] + box[3]) / 2),
        box,
        key: identityKey('addressTown', Math.floor(house.key / 8)),
        importance: 0.8,
      });
      return before.find((each) => isSameTown(each, town)) ?? town;
    });
}

const isSameTown = (a: Place, b: Place): boolean =>
  a.key === b.key && a.names[0]?.text === b.names[0]?.text && areSame(a.box, b.box);
