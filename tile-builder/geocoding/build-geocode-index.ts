import KDBush from 'kdbush';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import { accessesTo, accessSides, NO_EDGE, OFFSET_STEPS } from './access.js';
import { wordsOf } from './fold-text.js';
import type { Gazetteer } from './gather-gazetteer.js';
import { streetName } from './gather-streets.js';
import { boxOf, type House, type Place, placeKinds, widen } from './gazetteer.js';
import { encodeIndex, type IndexColumns, NOTHING } from './index-file.js';

const attribution = '© OpenStreetMap contributors';
/**
 * The index as one file. Every place and house is moved onto the network here, so that no query has to. The same gazetteer
 * and tileset give the same bytes.
 */
export function buildGeocodeIndex(gazetteer: Gazetteer, network: RoadNetwork): Uint8Array {
  const { places, country } = gazetteer;
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
  const access = accessColumns(rows);
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
    access.set(
      row,
      network,
      place.lngE7,
      place.latE7,
      place.kind === 'street' ? wordsOfNames(place) : new Set(),
    );
  });

  const houseColumns = {
    houseStreet: new Uint32Array(houses.length),
    houseNumber: new Uint32Array(houses.length),
    houseSuffix: new Uint32Array(houses.length),
    houseInterpolated: new Uint8Array(houses.length),
  };
  const streetWords = new Map<Place, ReadonlySet<string>>();
  const byCity = settlementsByName(places);
  houses.forEach(({ house, street }, index) => {
    const row = places.length + index;
    key[row] = house.key;
    lngE7[row] = house.lngE7;
    latE7[row] = house.latE7;
    kind[row] = placeKinds.indexOf('house');
    settlement[row] = placeOfRow(byCity(house) ?? street.settlement);
    postcode[row] = texts.of(house.postcode === '' ? street.postcode : house.postcode);
    houseColumns.houseStreet[index] = rowOf.get(street)!;
    houseColumns.houseNumber[index] = house.number;
    houseColumns.houseSuffix[index] = texts.of(house.suffix);
    houseColumns.houseInterpolated[index] = Number(house.interpolated);
    const words = streetWords.get(street) ?? wordsOfNames(street);
    streetWords.set(street, words);
    access.set(row, network, house.lngE7, house.latE7, words);
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
    ...access.columns,
    ...wordColumns(places, firstName),
    byKey: Uint32Array.from(key, (_, row) => row).sort((a, b) => key[a] - key[b] || a - b),
    ...pointColumns(kind, lngE7, latE7),
    edgeStreet: streetsOfEdges(places, network),
    ...texts.columns(),
  };
  return encodeIndex(
    {
      tilesetId: network.tilesetId,
      attribution,
      country,
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

const wordsOfNames = (place: Place): Set<string> => new Set(place.names.map(({ text }) => streetName(text)));

function settlementsByName(places: readonly Place[]): (house: House) => Place | undefined {
  const byName = new Map<string, Place>();
  for (const place of places)
    if (place.kind === 'settlement') for (const { text } of place.names) byName.set(streetName(text), place);
  return ({ city }) => (city === '' ? undefined : byName.get(streetName(city)));
}

function accessColumns(rows: number) {
  const modes = travelModes.length;
  const columns = {
    accessEdge: new Uint32Array(modes * rows).fill(NO_EDGE),
    accessAt: new Uint16Array(modes * rows),
    accessSide: new Uint8Array(modes * rows),
  };
  return {
    columns,
    set(row: number, network: RoadNetwork, lngE7: number, latE7: number, names: ReadonlySet<string>): void {
      accessesTo(network, lngE7, latE7, names).forEach((found, mode) => {
        if (found === undefined) return;
        const at = modes * row + mode;
        columns.accessEdge[at] = found.edge;
        columns.accessAt[at] = Math.round(found.fraction * OFFSET_STEPS);
        columns.accessSide[at] = accessSides.indexOf(found.side);
      });
    },
  };
}

/**
 * The dictionary, sorted by code units, each word with how many units it shares with the one before; and for each word
 * the entries that hold it. An entry is one name of a place, or the category of a place that people look for.
 */
function wordColumns(
  places: readonly Place[],
  firstName: Uint32Array,
): Pick<
  IndexColumns,
  'wordFirst' | 'wordChars' | 'wordShared' | 'entryPlace' | 'entryName' | 'firstPosting' | 'postings'
> {
  const entryPlace: number[] = [];
  const entryName: number[] = [];
  const entriesOf = new Map<string, number[]>();
  places.forEach((place, row) => {
    const seen = new Set<string>();
    const texts = place.names.map(({ text }) => text);
    if (place.kind === 'poi') texts.push(place.category.replaceAll('_', ' '));
    for (const [number, text] of texts.entries()) {
      const words = [...new Set(wordsOf(text))];
      const joined = words.join(' ');
      if (words.length === 0 || seen.has(joined)) continue;
      seen.add(joined);
      for (const word of words) {
        const entries = entriesOf.get(word);
        if (entries === undefined) entriesOf.set(word, [entryPlace.length]);
        else entries.push(entryPlace.length);
      }
      entryPlace.push(row);
      entryName.push(number < place.names.length ? firstName[row] + number : NOTHING);
    }
  });
  const words = [...entriesOf.keys()].sort();
  const wordFirst = new Uint32Array(words.length + 1);
  const firstPosting = new Uint32Array(words.length + 1);
  const wordShared = new Uint8Array(words.length);
  words.forEach((word, index) => {
    wordFirst[index + 1] = wordFirst[index] + word.length;
    firstPosting[index + 1] = firstPosting[index] + entriesOf.get(word)!.length;
    const before = words[index - 1] ?? '';
    let shared = 0;
    while (shared < word.length && word[shared] === before[shared]) shared++;
    wordShared[index] = shared;
  });
  const wordChars = new Uint16Array(wordFirst[words.length]);
  const postings = new Uint32Array(firstPosting[words.length]);
  words.forEach((word, index) => {
    for (let i = 0; i < word.length; i++) wordChars[wordFirst[index] + i] = word.charCodeAt(i);
    postings.set(entriesOf.get(word)!, firstPosting[index]);
  });
  return {
    wordFirst,
    wordChars,
    wordShared,
    entryPlace: Uint32Array.from(entryPlace),
    entryName: Uint32Array.from(entryName),
    firstPosting,
    postings,
  };
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

/** The street that each edge of the network belongs to. */
function streetsOfEdges(places: readonly Place[], network: RoadNetwork): Uint32Array {
  const ofWay = new Map<number, number>();
  places.forEach((place, row) => {
    for (const way of place.wayIds ?? []) ofWay.set(way, row);
  });
  return Uint32Array.from(network.arrays.wayId, (way) => ofWay.get(way) ?? NOTHING);
}
