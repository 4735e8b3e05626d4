import KDBush from 'kdbush';
import type { TaggedWay } from '../osm/map-elements.js';
import { AccessColumns } from './access-columns.js';
import { areaSets } from './area-sets.js';
import { columnsOf } from './gather-boundaries.js';
import type { Gazetteer } from './gather-gazetteer.js';
import type { FoldName } from './gather-streets.js';
import { boxOf, type House, type Place, placeKinds, widen } from './gazetteer.js';
import { encodeIndex, type IndexColumns, NOTHING } from './index-file.js';
import { lowerBound } from './lower-bound.js';
import { gridRoads, type RoadGrid } from './road-grid.js';
import { TextNumbers } from './text-numbers.js';
import { wordColumns } from './word-columns.js';

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
  const texts = new TextNumbers();
  texts.of('');
  const languages = new TextNumbers();
  languages.of('');
  const categories = new TextNumbers();
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
  const roadNames = new TextNumbers();
  roadNames.of('');
  const roads = gridRoads(roadWays, (name) => (name === '' ? 0 : roadNames.of(fold(name))));
  const access = new AccessColumns(rows, roads);
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
    if (place.onWay === undefined)
      access.set(row, place.lngE7, place.latE7, place.kind === 'street' ? numbersOf(place) : noNames);
    else access.setOnWay(row, place.onWay, place.lngE7, place.latE7, numbersOf(place));
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
    ...areaSets(gazetteer, rowOf, lngE7, latE7),
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
