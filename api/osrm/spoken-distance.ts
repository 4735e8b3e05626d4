/** A language that guidance is offered in, and the units of distances. */
export interface SpeechStyle {
  readonly language: string;
  readonly units: 'metric' | 'imperial';
}

type Unit = 'meter' | 'kilometer' | 'foot' | 'mile';

const FOOT_M = 0.3048;
const MILE_M = 1_609.344;

/** As people say it within a sentence: rounded, with the whole word of the unit where the case is known. */
export function spokenDistance(metres: number, { language, units }: SpeechStyle): string {
  const step = (value: number, by: number): number => Math.max(by, Math.round(value / by) * by);
  if (units === 'imperial')
    return metres < 300
      ? quantity(step(metres / FOOT_M, 50), 'foot', language)
      : quantity(step(metres / MILE_M, 0.25), 'mile', language);
  return metres < 950
    ? quantity(step(metres, metres < 100 ? 10 : 50), 'meter', language)
    : quantity(step(metres / 1_000, 0.5), 'kilometer', language);
}

/**
 * `Intl` has units in the nominative. The sentences of these languages ask for another case, in which the
 * word differs: `In 400 Metern` (dative; only in the plural), `400 metrin päästä` (genitive).
 */
const otherCase: Readonly<Record<string, Partial<Record<Unit, string>>>> = {
  de: { meter: 'Metern', kilometer: 'Kilometern' },
  fi: { meter: 'metrin', kilometer: 'kilometrin', foot: 'jalan', mile: 'mailin' },
};
/** Where the case also depends on the number, the symbol of the unit is used. */
const symbols: Readonly<Record<string, readonly Unit[]>> = {
  ar: ['mile'],
  pl: ['mile'],
  ru: ['mile'],
  sl: ['kilometer', 'mile'],
  uk: ['mile'],
};

function quantity(value: number, unit: Unit, language: string): string {
  const digits = { maximumFractionDigits: 2 };
  const word = language === 'de' && value === 1 ? undefined : otherCase[language]?.[unit];
  if (word !== undefined) return `${value.toLocaleString(language, digits)} ${word}`;
  const unitDisplay = symbols[language]?.includes(unit) === true ? 'short' : 'long';
  return value.toLocaleString(language, { style: 'unit', unit, unitDisplay, ...digits });
}
