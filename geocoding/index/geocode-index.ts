import KDBush from 'kdbush';
import { lowerBound } from '#map-data/arrays/lower-bound.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { E7, type LatLng } from '#schemas/units.js';
import { Areas } from './areas.js';
import { houseText } from './house-number.js';
import { decodeIndex, type IndexColumns, type IndexHead, NOTHING } from './index-file.js';
import { indexedAs, indexedModes } from './indexed-modes.js';
import { identityKey, identityKinds, identityOf, type PlaceKind, placeKinds } from './place-identity.js';
import type { PlaceName } from './place-name.js';

/**
 * The geocoding index of one tileset. A row is a place or a house; rows of places come first. Everything is
 * read in place from the bytes of the file.
 */
export class GeocodeIndex {
  readonly head: IndexHead;
  readonly data: IndexColumns;
  readonly placeCount: number;
  readonly rowCount: number;
  /** Points of all rows but streets. */
  readonly points: KDBush | undefined;
  /** By word: how selective it is. */
  readonly wordWeight: Float32Array;
  /** By entry: sum over its words. */
  readonly entryWeight: Float32Array;
  /** Administrative areas, by their number in the `area…` columns. */
  readonly areas: Areas;
  /** Row of a place that is an area, and the number of the area. */
  readonly #areaOfRow: ReadonlyMap<number, number>;
  readonly #text = new TextDecoder();

  private constructor(head: IndexHead, data: IndexColumns) {
    this.head = head;
    this.data = data;
    this.placeCount = data.category.length;
    this.rowCount = data.key.length;
    // The tree needs its own buffer, starting at 0.
    this.points = data.pointRow.length === 0 ? undefined : KDBush.from(data.pointTree.slice().buffer);
    this.areas = new Areas(data);
    this.#areaOfRow = new Map(Array.from(data.areaRow, (row, area) => [row, area]));
    const { firstPosting, postings, entryPlace } = data;
    const words = firstPosting.length - 1;
    this.wordWeight = new Float32Array(words);
    this.entryWeight = new Float32Array(entryPlace.length);
    for (let word = 0; word < words; word++) {
      const weight = Math.log(1 + entryPlace.length / (firstPosting[word + 1] - firstPosting[word]));
      this.wordWeight[word] = weight;
      for (let i = firstPosting[word]; i < firstPosting[word + 1]; i++)
        this.entryWeight[postings[i]] += weight;
    }
  }

  /** Throws `InvalidGeocodeIndex`. */
  static from(bytes: Uint8Array): GeocodeIndex {
    const { head, data } = decodeIndex(bytes);
    return new GeocodeIndex(head, data);
  }

  text(number: number): string {
    const { textFirst, textBytes } = this.data;
    return this.#text.decode(textBytes.subarray(textFirst[number], textFirst[number + 1]));
  }

  kind(row: number): PlaceKind {
    return placeKinds[this.data.kind[row]];
  }

  isHouse(row: number): boolean {
    return row >= this.placeCount;
  }

  /** Where the houses are. */
  *houses(): Iterable<LatLng> {
    const { latE7, lngE7 } = this.data;
    for (let row = this.placeCount; row < this.rowCount; row++)
      yield { lat: latE7[row]! / E7, lng: lngE7[row]! / E7 };
  }

  /** The street of a house. */
  streetOf(row: number): number {
    return this.data.houseStreet[row - this.placeCount];
  }

  houseNumber(row: number): string {
    const house = row - this.placeCount;
    return houseText({
      number: this.data.houseNumber[house],
      suffix: this.text(this.data.houseSuffix[house]),
    });
  }

  isInterpolated(row: number): boolean {
    return this.isHouse(row) && this.data.houseInterpolated[row - this.placeCount] === 1;
  }

  category(row: number): string {
    return this.head.categories[this.data.category[row]];
  }

  /**
   * In the first of the languages that it has a name in, else the local name; empty without a name. `row` is
   * a place.
   */
  name(row: number, ...languages: readonly string[]): string {
    const { firstName, nameText, nameLanguage } = this.data;
    const [first, end] = [firstName[row]!, firstName[row + 1]!];
    for (const language of languages) {
      const wanted = this.head.languages.indexOf(language);
      if (wanted <= 0) continue;
      for (let at = first; at < end; at++) if (nameLanguage[at] === wanted) return this.text(nameText[at]!);
    }
    let onGround = first;
    while (onGround < end && nameLanguage[onGround] !== 0) onGround++;
    if (onGround === end) onGround = first;
    return onGround < end ? this.text(nameText[onGround]!) : '';
  }

  /** All names of a place, in the order of the map. The language is empty for the local name. */
  names(row: number): PlaceName[] {
    const { firstName, nameText, nameLanguage } = this.data;
    const found: PlaceName[] = [];
    for (let at = firstName[row]!; at < firstName[row + 1]!; at++)
      found.push({ language: this.head.languages[nameLanguage[at]!]!, text: this.text(nameText[at]!) });
    return found;
  }

  /**
   * Index of the place on the road in the columns of `access…`; `NOTHING` without a road of the mode in
   * reach.
   */
  access(row: number, mode: TravelMode): number {
    return this.data.access[indexedModes.length * row + indexedModes.indexOf(indexedAs(mode))];
  }

  /** The street that a way of OpenStreetMap belongs to, or `NOTHING`. */
  streetOfWay(way: number): number {
    const { wayId, wayStreet } = this.data;
    const at = lowerBound(wayId, way);
    return wayId[at] === way ? wayStreet[at] : NOTHING;
  }

  /** Rows of the administrative areas around a row, the smallest first; never the row itself. */
  areasAround(row: number): number[] {
    const { areaSet, setFirst, setArea, areaRow } = this.data;
    const rows: number[] = [];
    for (let at = setFirst[areaSet[row]]; at < setFirst[areaSet[row] + 1]; at++)
      rows.push(areaRow[setArea[at]]);
    return rows;
  }

  /** Rows of the administrative areas that a point lies in, the smallest first. */
  areasAt({ lng, lat }: LatLng): number[] {
    return this.areas.at(Math.round(lng * 1e7), Math.round(lat * 1e7)).map((area) => this.data.areaRow[area]);
  }

  /** Whether a row is an administrative area. */
  isArea(row: number): boolean {
    return this.#areaOfRow.has(row);
  }

  /** The number of an area in the `area…` columns; undefined for other rows. */
  areaOf(row: number): number | undefined {
    return this.#areaOfRow.get(row);
  }

  /** Stable as long as the element keeps its id; for an interpolated house, as long as its street does. */
  placeId(row: number): string {
    const key = this.data.key[row];
    const { kind, id: element } = identityOf(key);
    const id = `${identityLetters[kind]}${element}`;
    return this.isHouse(row) ? `${id}.${this.houseNumber(row).replace('/', '_')}` : id;
  }

  /** Row of a place id; undefined if it is not one, or the map no longer has the place. */
  rowOf(placeId: string): number | undefined {
    const parts = /^([a-z])(-?\d{1,15})(?:\.([\da-z_]{1,12}))?$/.exec(placeId);
    const kind = parts === null ? -1 : identityLetters.indexOf(parts[1]);
    if (parts === null || kind < 0) return undefined;
    return this.rowsOf(identityKey(identityKinds[kind], Number(parts[2]))).find(
      (row) => this.placeId(row) === placeId,
    );
  }

  /** Rows with an identity: those of an element that is a place and has house numbers are several. */
  rowsOf(key: number): number[] {
    const { byKey, key: keys } = this.data;
    let low = 0;
    let high = byKey.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[byKey[middle]!]! < key) low = middle + 1;
      else high = middle;
    }
    const rows: number[] = [];
    for (; low < byKey.length && keys[byKey[low]!] === key; low++) rows.push(byKey[low]!);
    return rows;
  }
}

/** First letters of place ids, by identity kind. */
const identityLetters = identityKinds.map(
  (kind) =>
    ({
      node: 'n',
      way: 'w',
      relation: 'r',
      street: 's',
      addressNode: 'a',
      addressWay: 'b',
      addressTown: 't',
    })[kind],
);
