/** Countries with the number before the street, and countries with the postcode after the town. */
const numberFirst = new Set(['AU', 'CA', 'FR', 'GB', 'IE', 'IN', 'LU', 'MC', 'MT', 'NZ', 'US', 'ZA']);
const postcodeLast = new Set(['AU', 'CA', 'GB', 'IE', 'IN', 'MT', 'NZ', 'US', 'ZA']);

export interface AddressParts {
  /** Of a place that is no street. */
  readonly name: string;
  readonly street: string;
  readonly houseNumber: string;
  readonly postcode: string;
  readonly town: string;
  /** ISO code, or empty. */
  readonly countryCode: string;
  /** In the language of the answer. */
  readonly country: string;
}

/** The lines of an address in the order in which the country writes them, without empty ones. */
export function addressLines(parts: AddressParts): string[] {
  const { name, street, houseNumber, postcode, town, countryCode, country } = parts;
  const road = spaced(numberFirst.has(countryCode) ? [houseNumber, street] : [street, houseNumber]);
  const place = spaced(postcodeLast.has(countryCode) ? [town, postcode] : [postcode, town]);
  return [name, road, place, country].filter((line) => line !== '');
}

const spaced = (words: readonly string[]): string => words.filter((word) => word !== '').join(' ');

/** `Sverige` for SE in Swedish; the code itself if no name is known. */
export function countryName(code: string, language: string): string {
  if (code === '') return '';
  try {
    return new Intl.DisplayNames([language || 'en', 'en'], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
