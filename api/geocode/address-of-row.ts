import { areaPolygons, pointsOfArea } from '#geocoding/index/area-polygons.js';
import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { NOTHING } from '#geocoding/index/index-file.js';
import { indexedModes } from '#geocoding/index/indexed-modes.js';
import { E7, type LatLng } from '#schemas/units.js';
import type { AddressedPlace, AddressLine, Border, OsmElement } from '../ports/place-finder.js';
import { countryName } from './address-lines.js';
import { labelOf, levelOf, partOfRank, rankOf } from './place-ranks.js';
import { countryCodeOf, RowFacts } from './row-facts.js';

interface Described {
  /** The requested place, of a street that passes it. */
  readonly at?: LatLng | undefined;
  readonly element?: OsmElement;
}

type Describe = (row: number, described: Described) => AddressedPlace;

/** Describes rows with names in the first of the languages that the map has. */
export function addressDescriber(index: GeocodeIndex, languages: readonly string[]): Describe {
  const { data } = index;
  const nameOf = (row: number): string => index.name(row, ...languages);
  const countryOf = (areas: readonly number[]): AddressLine => {
    const row = areas.find((area) => index.kind(area) === 'country');
    if (row !== undefined) return lineOf(row);
    const name = countryName(countryCodeOf(index, areas), languages[0] ?? '');
    return { label: 'country', part: 'country', level: undefined, text: name };
  };

  /** A point of interest without an address of its own is on the road that reaches it. */
  const roadOf = (row: number): { readonly number?: string; readonly street: string } | undefined => {
    if (index.isHouse(row)) return { number: index.houseNumber(row), street: nameOf(index.streetOf(row)) };
    if (index.kind(row) !== 'poi') return undefined;
    const address = index.rowsOf(data.key[row]!).find((own) => index.isHouse(own));
    if (address !== undefined) return roadOf(address);
    for (const mode of indexedModes) {
      const access = index.access(row, mode);
      const street = access === NOTHING ? NOTHING : data.wayStreet[data.accessWay[access]!]!;
      if (street !== NOTHING) return { street: nameOf(street) };
    }
    return undefined;
  };

  /** The areas, and the town of the address if no town is among them, from the most exact on. */
  const placesAround = (row: number, areas: readonly number[]): number[] => {
    const town = index.kind(row) === 'settlement' ? NOTHING : data.settlement[row]!;
    const isLocated = town === NOTHING || areas.some((area) => index.kind(area) === 'settlement');
    return (isLocated ? [...areas] : [town, ...areas])
      .filter((area) => index.kind(area) !== 'country')
      .sort((a, b) => rankOf(index, b).address - rankOf(index, a).address);
  };

  const ownLines = (row: number): AddressLine[] => {
    const road = roadOf(row);
    const kind = index.kind(row);
    const own = kind === 'poi' ? nameOf(row) : '';
    return [
      { label: new RowFacts(index, row).tag?.key ?? 'place', part: undefined, level: undefined, text: own },
      { label: 'house_number', part: 'house', level: undefined, text: road?.number ?? '' },
      {
        ...{ label: 'road', part: 'street', level: undefined },
        text: kind === 'street' ? nameOf(row) : (road?.street ?? ''),
      },
    ];
  };

  const ownLabel = (row: number, { kind, tag }: RowFacts): string | undefined => {
    if (kind === 'street') return 'road';
    return kind === 'house' || kind === 'poi' ? tag?.key : labelOf(index, row);
  };

  const lineOf = (row: number): AddressLine => ({
    label: labelOf(index, row),
    part: partOfRank(rankOf(index, row).address),
    level: levelOf(index, row),
    text: nameOf(row),
  });

  return (row, { at, element }) => {
    const facts = new RowFacts(index, row, element);
    const isPart = !['house', 'street', 'poi', 'country'].includes(facts.kind);
    const areas = (at === undefined ? index.areasAround(row) : index.areasAt(at)).filter(
      (area) => area !== row,
    );
    const lines: AddressLine[] = [
      ...ownLines(row),
      ...(isPart ? [row] : []).map(lineOf),
      ...placesAround(row, areas).map(lineOf),
      { label: 'postcode', part: undefined, level: undefined, text: index.text(data.postcode[row]!) },
      facts.kind === 'country' ? lineOf(row) : countryOf(areas),
    ];
    return {
      facts,
      location: at === undefined ? facts.location : { lat: round7(at.lat), lng: round7(at.lng) },
      box: boxOf(index, row),
      border: borderOf(index, row),
      label: ownLabel(row, facts),
      importance: index.isHouse(row) ? 0 : data.importance[row]! / 255,
      name: index.isHouse(row) ? '' : nameOf(row),
      names: index.isHouse(row) ? {} : namesOf(index, row),
      address: lines.filter(({ text }) => text !== ''),
    };
  };
}

/** Other spellings do not have their keys in the index. */
function namesOf(index: GeocodeIndex, row: number): Record<string, string> {
  const names = index.names(row).filter(({ language }) => language !== '*');
  return Object.fromEntries(
    names.map(({ language, text }) => [language === '' ? 'name' : `name:${language}`, text]),
  );
}

function borderOf(index: GeocodeIndex, row: number): Border | undefined {
  const area = index.areaOf(row);
  if (area === undefined) return undefined;
  return { points: pointsOfArea(index.data, area), polygons: () => areaPolygons(index.data, area) };
}

function boxOf(index: GeocodeIndex, row: number): AddressedPlace['box'] {
  if (index.isHouse(row)) return undefined;
  const [west, south, east, north] = index.data.box.subarray(4 * row, 4 * row + 4);
  if (west === east && south === north) return undefined;
  return [west! / E7, south! / E7, east! / E7, north! / E7];
}

/** Seven decimals are the resolution of the map. */
const round7 = (degrees: number): number => Math.round(degrees * E7) / E7;
