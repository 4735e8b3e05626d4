import { countryName } from '#api/geocode/address-lines.js';
import type { Geocoder } from '#api/ports/geocoder.js';
import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';

/** Forms in which people write a complete address. */
export const forms = [
  'as printed',
  'without commas',
  'country of its own language',
  'region',
  'unknown number',
] as const;
export type Form = (typeof forms)[number];

export interface WrittenAddress {
  readonly form: Form;
  readonly query: string;
  /** The geocoder's text of the expected place. */
  readonly printed: string;
}

/** Of the languages that extracts are measured of. */
const languageOf = new Map([
  ['DE', 'de'],
  ['FI', 'fi'],
  ['LI', 'de'],
  ['MT', 'mt'],
  ['SE', 'sv'],
]);
/** Is on no map. */
const region = 'Upper Wobbleshire';
const unknownNumber = '7777';

/** Places, streets and houses of the index, each in every form that fits it. */
export function writtenAddresses(
  index: GeocodeIndex,
  geocoder: Geocoder,
  count: number,
  random: () => number,
): WrittenAddress[] {
  const rows = Array.from({ length: index.rowCount }, (_, row) => row).filter(
    (row) => index.isHouse(row) || index.name(row, '').length > 3,
  );
  const country = countryName(index.head.country, languageOf.get(index.head.country) ?? 'en');
  const written: WrittenAddress[] = [];
  for (let i = 0; i < count; i++) {
    const row = rows[Math.floor(random() * rows.length)]!;
    const printed = geocoder.byId(index.placeId(row), 'en')!.result.formatted_address;
    const lines = printed.split(', ');
    const isCountryPrinted = lines.length > 1 && country !== '';
    const withoutCountry = isCountryPrinted ? lines.slice(0, -1) : lines;
    const write = (form: Form, query: string): void => void written.push({ form, query, printed });
    write('as printed', printed);
    write('without commas', lines.join(' '));
    write(
      'country of its own language',
      [...withoutCountry, country].filter((line) => line !== '').join(', '),
    );
    write('region', [...withoutCountry, region, country].filter((line) => line !== '').join(', '));
    if (!index.isHouse(row) && index.kind(row) === 'street')
      write('unknown number', [`${lines[0]} ${unknownNumber}`, ...lines.slice(1)].join(', '));
  }
  return written;
}
