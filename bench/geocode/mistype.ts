import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { NOTHING } from '#geocoding/index/index-file.js';

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/**
 * One letter left out, doubled by another, replaced, or exchanged with the key typed next to it; blanks take
 * part.
 */
export function mistype(text: string, random: () => number): string {
  const letters = Array.from(text);
  const places = letters.flatMap((letter, at) => (/\p{L}/u.test(letter) ? [at] : []));
  const at = places[Math.floor(random() * places.length)] ?? 0;
  const kind = Math.floor(random() * 4);
  let other = alphabet[Math.floor(random() * 26)]!;
  if (other === letters[at]?.toLowerCase()) other = other === 'z' ? 'a' : 'z';
  if (kind === 0) letters.splice(at, 1);
  else if (kind === 1) letters.splice(at, 0, other);
  else if (kind === 2) letters[at] = other;
  else {
    const next = at + 1 < letters.length ? at + 1 : at - 1;
    [letters[at], letters[next]] = [letters[next]!, letters[at]!];
  }
  return letters.join('');
}

export interface WantedAddress {
  /** The address with one typing error in the name of its street. */
  readonly query: string;
  readonly row: number;
}

/** Names shorter than this are another name after one error. */
const nameLengthMin = 4;

/**
 * Addresses of the index, `Street 12, Town`, each with one error in the street's name; streets alone where
 * the extract has no house numbers, as that of Gothenburg.
 */
export function mistypedAddresses(index: GeocodeIndex, count: number, random: () => number): WantedAddress[] {
  const rows = Array.from({ length: index.rowCount }, (_, row) => row).filter((row) =>
    index.isHouse(row)
      ? !index.isInterpolated(row) && index.name(index.streetOf(row), '').length >= nameLengthMin
      : index.kind(row) === 'street' && index.name(row, '').length >= nameLengthMin,
  );
  const houses = rows.filter((row) => index.isHouse(row));
  const pool = houses.length > 0 ? houses : rows;
  return Array.from({ length: count }, () => {
    const row = pool[Math.floor(random() * pool.length)]!;
    const street = index.name(index.isHouse(row) ? index.streetOf(row) : row, '');
    const number = index.isHouse(row) ? ` ${index.houseNumber(row)}` : '';
    const town = index.data.settlement[row]!;
    const rest = town === NOTHING ? '' : `, ${index.name(town, '')}`;
    return { query: `${mistype(street, random)}${number}${rest}`, row };
  });
}

/** The place itself, or one within about 100 m of it; house numbers are not compared. */
export function isThePlace({ data }: GeocodeIndex, found: number | undefined, wanted: number): boolean {
  if (found === undefined) return false;
  return (
    found === wanted ||
    (Math.abs(data.lngE7[found]! - data.lngE7[wanted]!) < 10_000 &&
      Math.abs(data.latE7[found]! - data.latE7[wanted]!) < 10_000)
  );
}
