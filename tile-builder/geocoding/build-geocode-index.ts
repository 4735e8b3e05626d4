import KDBush from 'kdbush';
import { travelModes } from '#routing-engine/travel-mode.js';
import { growingInt32, growingUint32 } from '../osm/growing-array.js';
import type { TaggedWay } from '../osm/map-elements.js';
import { columnsOf } from './gather-boundaries.js';
import type { Gazetteer } from './gather-gazetteer.js';
import type { FoldName } from './gather-streets.js';
import { boxOf, type House, type Place, placeKinds, widen } from './gazetteer.js';
import { encodeIndex, type IndexColumns, NOTHING } from './index-file.js';
import { lowerBound } from './lower-bound.js';
import { nearestRoads, type RoadPlace } from './nearest-roads.js';
import { AGAINST } from './road-access.js';
import { gridRoads, type RoadGrid } from './road-grid.js';

const attribution = '© OpenStreetMap contributors';

/**
 * The index as one file. Every place and house is moved onto the roads here, so that no query has to. The same elements give
 * the same bytes. `tilesetId`: of the tileset of the same extract.
 */
export function buildGeocodeIndex(
  gazetteer: Gazetteer,
  roadWays: readonly TaggedWay[],
  tilesetId: string,
  fold: FoldName,
): Uint8Array {
  const { places, country, boundaries } = gazetteer;
  const rowOf = new Map<Place, number>(places.map((place, row) => [place, row]));
  const houses = places.flatMap((street) => street.houses.map((house) => ({ house, street })));
  const rows = places.length + houses.length;
  const texts = new Numbering();
  texts.of('');
  const languages = new Numbering();
  languages.of('');
  const categories = new Numbering();
  const bounds = boxOf(new Int32Array());

  const key = new Float64Array(rows);
  const lngE7 = new Int32Array(rows);
  const latE7 = new Int32Array(rows);
  const kind = new Uint8Array(rows);
  const settlement = new Uint32Array(rows).fill(NOTHING);
  const postcode = new Uint32Array(rows);
  const category = new Uint16Array(places.length);
  const importance = new Uint8Array(places.length);
  const box = new Int32Array(4 * places.length);
  const firstName = new Uint32Array(places.length + 1);
  const nameText: number[] = [];
  const nameLanguage: number[] = [];
  const firstHouse = new Uint32Array(places.length + 1);
  const roadNames = new Numbering();
  roadNames.of('');
  const roads = gridRoads(roadWays, (name) => (name === '' ? 0 : roadNames.of(fold(name))));
  const access = accessColumns(rows, roads);
  const numbersOf = (place: Place): number[] => place.names.map(({ text }) => roadNames.of(fold(text)));
  const placeOfRow = (place: Place | undefined): number =>
    place === undefined ? NOTHING : (rowOf.get(place) ?? NOTHING);

  places.forEach((place, row) => {
    key[row] = place.key;
    lngE7[row] = place.lngE7;
    latE7[row] = place.latE7;
    kind[row] = placeKinds.indexOf(place.kind);
    settlement[row] = placeOfRow(place.settlement);
    postcode[row] = texts.of(place.postcode);
    category[row] = categories.of(place.category);
    importance[row] = Math.round(255 * Math.min(1, place.importance));
    box.set(place.box, 4 * row);
    widen(bounds, place.box);
    for (const { language, text } of place.names) {
      nameText.push(texts.of(text));
      nameLanguage.push(languages.of(language));
    }
    firstName[row + 1] = nameText.length;
    firstHouse[row + 1] = firstHouse[row] + place.houses.length;
    access.set(row, place.lngE7, place.latE7, place.kind === 'street' ? numbersOf(place) : noNames);
  });

  const houseColumns = {
    houseStreet: new Uint32Array(houses.length),
    houseNumber: new Uint32Array(houses.length),
    houseSuffix: new Uint32Array(houses.length),
    houseInterpolated: new Uint8Array(houses.length),
  };
  const streetNames = new Map<Place, readonly number[]>();
  const byCity = settlementsByName(places, fold);
  houses.forEach(({ house, street }, index) => {
    const row = places.length + index;
    key[row] = house.key;
    lngE7[row] = house.lngE7;
    latE7[row] = house.latE7;
    kind[row] = placeKinds.indexOf('house');
    settlement[row] = placeOfRow(byCity(house) ?? settlementAround(gazetteer, house) ?? street.settlement);
    postcode[row] = texts.of(house.postcode === '' ? street.postcode : house.postcode);
    houseColumns.houseStreet[index] = rowOf.get(street)!;
    houseColumns.houseNumber[index] = house.number;
    houseColumns.houseSuffix[index] = texts.of(house.suffix);
    houseColumns.houseInterpolated[index] = Number(house.interpolated);
    const names = streetNames.get(street) ?? numbersOf(street);
    streetNames.set(street, names);
    access.set(row, house.lngE7, house.latE7, names);
  });

  const columns: IndexColumns = {
    key,
    lngE7,
    latE7,
    kind,
    settlement,
    postcode,
    category,
    importance,
    box,
    firstName,
    nameText: Uint32Array.from(nameText),
    nameLanguage: Uint8Array.from(nameLanguage),
    firstHouse,
    ...houseColumns,
    ...access.columns(),
    ...wordColumns(places, firstName, fold),
    byKey: rowsByKey(key, places.length),
    ...pointColumns(kind, lngE7, latE7),
    wayId: roads.wayId,
    wayStreet: streetsOfWays(places, roads),
    areaRow: Uint32Array.from(boundaries, ({ place }) => rowOf.get(place)!),
    ...columnsOf(boundaries.map(({ rings }) => rings)),
    ...setColumns(gazetteer, rowOf, lngE7, latE7),
    ...texts.columns(),
  };
  return encodeIndex(
    {
      tilesetId,
      attribution,
      country,
      countryCodes: boundaries.flatMap(({ place }) =>
        place.kind === 'country' && place.isoCode !== undefined && place.isoCode !== ''
          ? [[rowOf.get(place)!, place.isoCode] as const]
          : [],
      ),
      bounds: places.length === 0 ? [0, 0, 0, 0] : bounds,
      languages: languages.texts,
      categories: categories.texts,
    },
    columns,
  );
}

/** Gives each text its number, by first appearance. */
class Numbering {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    if (text === '' && this.texts[0] === '') return 0;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.texts.push(text);
      this.#numbers.set(text, number);
    }
    return number;
  }

  columns(): Pick<IndexColumns, 'textFirst' | 'textBytes'> {
    const encoded = this.texts.map((text) => new TextEncoder().encode(text));
    const textFirst = new Uint32Array(encoded.length + 1);
    encoded.forEach((bytes, index) => {
      textFirst[index + 1] = textFirst[index] + bytes.length;
    });
    const textBytes = new Uint8Array(textFirst[encoded.length]);
    for (const [index, bytes] of encoded.entries()) textBytes.set(bytes, textFirst[index]);
    return { textFirst, textBytes };
  }
}

const noNames: readonly number[] = [];

function settlementsByName(places: readonly Place[], fold: FoldName): (house: House) => Place | undefined {
  const byName = new Map<string, Place>();
  for (const place of places)
    if (place.kind === 'settlement') for (const { text } of place.names) byName.set(fold(text), place);
  return ({ city }) => (city === '' ? undefined : byName.get(fold(city)));
}

/** The smallest administered place around a house that is a town or village. */
function settlementAround({ areas, boundaries }: Gazetteer, { lngE7, latE7 }: House): Place | undefined {
  const around = areas.at(lngE7, latE7).find((area) => boundaries[area].place.kind === 'settlement');
  return around === undefined ? undefined : boundaries[around].place;
}

/** Which areas lie around each row, the smallest first: few sets that many rows share. An area lies in larger ones alone. */
function setColumns(
  { areas, boundaries }: Gazetteer,
  rowOf: ReadonlyMap<Place, number>,
  lngE7: Int32Array,
  latE7: Int32Array,
): Pick<IndexColumns, 'areaSet' | 'setFirst' | 'setArea'> {
  const own = new Map(boundaries.map(({ place }, area) => [rowOf.get(place)!, area]));
  const sets = new Map<string, number>();
  const setFirst = [0];
  const setArea: number[] = [];
  const areaSet = new Uint32Array(lngE7.length);
  for (let row = 0; row < lngE7.length; row++) {
    const ownArea = own.get(row) ?? -1;
    const around = areas.at(lngE7[row], latE7[row]).filter((area) => area > ownArea);
    const name = around.join();
    let set = sets.get(name);
    if (set === undefined) {
      set = sets.size;
      sets.set(name, set);
      setArea.push(...around);
      setFirst.push(setArea.length);
    }
    areaSet[row] = set;
  }
  return { areaSet, setFirst: Uint32Array.from(setFirst), setArea: Uint32Array.from(setArea) };
}

function accessColumns(rows: number, roads: RoadGrid) {
  const modes = travelModes.length;
  const access = new Uint32Array(modes * rows).fill(NOTHING);
  const way = growingUint32();
  const lng = growingInt32();
  const lat = growingInt32();
  const side = growingUint32();
  return {
    columns: () => ({
      access,
      accessWay: way.trimmed(),
      accessLngE7: lng.trimmed(),
      accessLatE7: lat.trimmed(),
      accessSide: Uint8Array.from(side.trimmed()),
    }),
    set(row: number, lngE7: number, latE7: number, names: readonly number[]): void {
      const places = nearestRoads(roads, lngE7, latE7, names);
      for (const [mode, place] of places.entries()) {
        if (place === undefined) continue;
        const same = places.findIndex((other) => other !== undefined && isSamePlace(other, place));
        if (same < mode) {
          access[modes * row + mode] = access[modes * row + same];
          continue;
        }
        access[modes * row + mode] = way.length;
        way.push(place.way);
        lng.push(place.lngE7);
        lat.push(place.latE7);
        side.push(place.side + (place.against ? AGAINST : 0));
      }
    },
  };
}

const isSamePlace = (a: RoadPlace, b: RoadPlace): boolean =>
  a.way === b.way && a.against === b.against && a.lngE7 === b.lngE7 && a.latE7 === b.latE7;

/**
 * The dictionary, sorted by code units, each word with how many units it shares with the one before; and for each word
 * the entries that hold it. An entry is one name of a place, or the category of a place that people look for.
 */
function wordColumns(
  places: readonly Place[],
  firstName: Uint32Array,
  fold: FoldName,
): Pick<
  IndexColumns,
  'wordFirst' | 'wordChars' | 'wordShared' | 'entryPlace' | 'entryName' | 'firstPosting' | 'postings'
> {
  const entryPlace = growingUint32();
  const entryName = growingUint32();
  const numbers = new Map<string, number>();
  const wordAt = growingUint32();
  const entryAt = growingUint32();
  places.forEach((place, row) => {
    const seen: string[] = [];
    const enter = (text: string, name: number): void => {
      const folded = fold(text);
      if (folded === '' || seen.includes(folded)) return;
      seen.push(folded);
      const words = folded.split(' ');
      for (const [i, word] of words.entries()) {
        if (words.indexOf(word) < i) continue;
        let number = numbers.get(word);
        if (number === undefined) {
          number = numbers.size;
          numbers.set(word, number);
        }
        wordAt.push(number);
        entryAt.push(entryPlace.length);
      }
      entryPlace.push(row);
      entryName.push(name);
    };
    for (const [i, { text }] of place.names.entries()) enter(text, firstName[row] + i);
    if (place.kind === 'poi') enter(place.category.replaceAll('_', ' '), NOTHING);
  });
  const words = [...numbers.keys()].sort();
  const rankOf = new Uint32Array(words.length);
  const wordFirst = new Uint32Array(words.length + 1);
  const wordShared = new Uint8Array(words.length);
  words.forEach((word, index) => {
    rankOf[numbers.get(word)!] = index;
    wordFirst[index + 1] = wordFirst[index] + word.length;
    const before = words[index - 1] ?? '';
    let shared = 0;
    while (shared < word.length && word[shared] === before[shared]) shared++;
    wordShared[index] = shared;
  });
  const wordChars = new Uint16Array(wordFirst[words.length]);
  words.forEach((word, index) => {
    for (let i = 0; i < word.length; i++) wordChars[wordFirst[index] + i] = word.charCodeAt(i);
  });
  return {
    wordFirst,
    wordChars,
    wordShared,
    entryPlace: entryPlace.trimmed(),
    entryName: entryName.trimmed(),
    ...postingsOf(wordAt.trimmed(), entryAt.trimmed(), rankOf),
  };
}

/** Entries by rank of their words, ascending. */
function postingsOf(
  wordAt: Uint32Array,
  entryAt: Uint32Array,
  rankOf: Uint32Array,
): Pick<IndexColumns, 'firstPosting' | 'postings'> {
  const firstPosting = new Uint32Array(rankOf.length + 1);
  for (let i = 0; i < wordAt.length; i++) firstPosting[rankOf[wordAt[i]] + 1]++;
  for (let rank = 0; rank < rankOf.length; rank++) firstPosting[rank + 1] += firstPosting[rank];
  const next = firstPosting.slice();
  const postings = new Uint32Array(wordAt.length);
  for (let i = 0; i < wordAt.length; i++) postings[next[rankOf[wordAt[i]]]++] = entryAt[i];
  return { firstPosting, postings };
}

/** Rows in the order of their keys, equal ones in that of their rows. Places are in this order already. */
function rowsByKey(key: Float64Array, placeCount: number): Uint32Array {
  const houses = Uint32Array.from({ length: key.length - placeCount }, (_, i) => placeCount + i).sort(
    (a, b) => key[a] - key[b] || a - b,
  );
  const rows = new Uint32Array(key.length);
  let place = 0;
  let house = 0;
  for (let at = 0; at < rows.length; at++)
    rows[at] =
      house === houses.length || (place < placeCount && key[place] <= key[houses[house]])
        ? place++
        : houses[house++];
  return rows;
}

/** A tree over everything that is a point: streets are found by the road network. */
function pointColumns(
  kind: Uint8Array,
  lngE7: Int32Array,
  latE7: Int32Array,
): Pick<IndexColumns, 'pointRow' | 'pointTree'> {
  const street = placeKinds.indexOf('street');
  const pointRow = Uint32Array.from(Array.from(kind, (_, row) => row).filter((row) => kind[row] !== street));
  if (pointRow.length === 0) return { pointRow, pointTree: new Uint8Array() };
  const tree = new KDBush(pointRow.length, 64, Int32Array);
  for (const row of pointRow) tree.add(lngE7[row], latE7[row]);
  tree.finish();
  return { pointRow, pointTree: new Uint8Array(tree.data) };
}

/** The street that each road belongs to. */
function streetsOfWays(places: readonly Place[], { wayId }: RoadGrid): Uint32Array {
  const streets = new Uint32Array(wayId.length).fill(NOTHING);
  places.forEach((place, row) => {
    for (const way of place.wayIds ?? []) {
      const at = lowerBound(wayId, way);
      if (wayId[at] === way) streets[at] = row;
    }
  });
  return streets;
}
