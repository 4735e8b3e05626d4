import type { TextValue } from '#schemas/http/shapes.js';
import { quantityTextsKept } from '../http/limits.js';

export type Units = 'metric' | 'imperial';

const metresPerFoot = 0.3048;
const metresPerMile = 1_609.344;

/**
 * Formatted texts of one locale and unit. The roads of a town need few different numbers, so texts are
 * cached.
 */
class QuantityFormat {
  readonly #format: Intl.NumberFormat;
  readonly #scale: number;
  readonly #texts = new Map<number, string>();

  constructor(locale: string, unit: string, digits: 0 | 1) {
    const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits } as const;
    this.#format = new Intl.NumberFormat(locale, options);
    this.#scale = 10 ** digits;
  }

  text(value: number): string {
    const rounded = Math.round(value * this.#scale) / this.#scale;
    let text = this.#texts.get(rounded);
    if (text === undefined) {
      text = this.#format.format(rounded);
      if (this.#texts.size === quantityTextsKept) this.#texts.clear();
      this.#texts.set(rounded, text);
    }
    return text;
  }
}

/**
 * Creating a formatter costs as much as a short search, so each is created once; locales come from a closed
 * list.
 */
const formats = new Map<string, QuantityFormat>();

function format(value: number, unit: string, digits: 0 | 1, locale: string): string {
  const key = `${locale}/${unit}/${digits}`;
  let known = formats.get(key);
  if (known === undefined) {
    known = new QuantityFormat(locale, unit, digits);
    formats.set(key, known);
  }
  return known.text(value);
}

function distanceText(metres: number, units: Units, locale: string): string {
  if (units === 'imperial') {
    const miles = metres / metresPerMile;
    if (miles < 0.1) return format(Math.round(metres / metresPerFoot / 10) * 10, 'foot', 0, locale);
    return format(miles, 'mile', miles < 10 ? 1 : 0, locale);
  }
  if (metres < 100) return format(Math.round(metres), 'meter', 0, locale);
  if (metres < 1_000) return format(Math.round(metres / 10) * 10, 'meter', 0, locale);
  return format(metres / 1_000, 'kilometer', metres < 10_000 ? 1 : 0, locale);
}

function durationText(seconds: number, locale: string): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return format(minutes, 'minute', 0, locale);
  const rest = minutes % 60;
  const hourText = format(hours, 'hour', 0, locale);
  return rest === 0 ? hourText : `${hourText} ${format(rest, 'minute', 0, locale)}`;
}

/**
 * The value is whole metres; the text is what a sign would say. `locale` is a BCP 47 tag that the runtime
 * knows.
 */
export const distanceQuantity = (metres: number, units: Units, locale: string): TextValue => ({
  text: distanceText(metres, units, locale),
  value: Math.round(metres),
});

/** The value is whole seconds; the text is rounded to minutes, at least one. */
export const durationQuantity = (seconds: number, locale: string): TextValue => ({
  text: durationText(seconds, locale),
  value: Math.round(seconds),
});
