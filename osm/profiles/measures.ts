const INCH_MM = 25.4;
const POUND_KG = 0.45359237;
const SHORT_TON_KG = 907.18474;

const kgOf: Readonly<Record<string, number>> = {
  t: 1000,
  ton: 1000,
  tons: 1000,
  tonne: 1000,
  tonnes: 1000,
  kg: 1,
  lb: POUND_KG,
  lbs: POUND_KG,
  st: SHORT_TON_KG,
};

const mmOf: Readonly<Record<string, number>> = { m: 1000, metre: 1000, meter: 1000, cm: 10, mm: 1 };

/** `3.8`, `3.8 m`, `380 cm`, `12'6"`, `12 ft 6 in`, rounded down; undefined for text such as `default`. */
export const parseMm = (text: string): number | undefined => least(text, mmIn);

/** `7.5`, `7.5 t`, `7500 kg`, `16535 lbs`, `8 st`, rounded down; undefined for text. */
export const parseKg = (text: string): number | undefined => least(text, kgIn);

/** Of several values the least binds. */
function least(text: string, read: (value: string) => number | undefined): number | undefined {
  const values = text
    .split(';')
    .map((value) => read(value.trim()))
    .filter((value) => value !== undefined && value > 0);
  return values.length === 0 ? undefined : Math.floor(Math.min(...(values as number[])) + 1e-6);
}

function mmIn(value: string): number | undefined {
  const metric = /^(\d+(?:[.,]\d+)?)\s*(m|metre|meter|cm|mm)?s?$/i.exec(value);
  if (metric !== null) return decimal(metric[1]!) * mmOf[(metric[2] ?? 'm').toLowerCase()]!;
  const feet = /^(\d+(?:\.\d+)?)\s*(?:'|ft|feet)\s*(?:(\d+(?:\.\d+)?)\s*(?:"|''|in|inch|inches)?)?$/i.exec(
    value,
  );
  if (feet !== null) return (12 * Number(feet[1]) + Number(feet[2] ?? 0)) * INCH_MM;
  const inches = /^(\d+(?:\.\d+)?)\s*(?:"|''|in|inch|inches)$/i.exec(value);
  return inches === null ? undefined : Number(inches[1]) * INCH_MM;
}

function kgIn(value: string): number | undefined {
  const found = /^(\d+(?:[.,]\d+)?)\s*([a-z]*)$/i.exec(value);
  const unit = found === null ? undefined : kgOf[(found[2] === '' ? 't' : found[2]!).toLowerCase()];
  return unit === undefined ? undefined : decimal(found![1]!) * unit;
}

const decimal = (text: string): number => Number(text.replace(',', '.'));
