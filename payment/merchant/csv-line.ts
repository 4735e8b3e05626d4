/** With one of these in front, a spreadsheet takes a text for a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * One line of a CSV file (RFC 4180), each field in quotes. Texts that a spreadsheet would run as a formula
 * get an apostrophe in front; amounts are numbers and stay as they are.
 */
export const csvLine = (fields: readonly (string | CsvNumber)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`;

/** Made by the program, so no formula can be in it. */
export class CsvNumber {
  readonly text: string;

  constructor(text: string) {
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new Error(`${text} is not a number.`);
    this.text = text;
  }
}

function csvField(field: string | CsvNumber): string {
  if (field instanceof CsvNumber) return field.text;
  const safe = formula.test(field) ? `'${field}` : field;
  return `"${safe.replaceAll('"', '""')}"`;
}
