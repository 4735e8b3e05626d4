import { messages } from './messages.js';

/** An option of a query: its syntax for people, and its parser; undefined for other text. */
export interface Option<Value> {
  readonly form: string;
  readonly read: (text: string) => Value | undefined;
}

/** The options of a service by name. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>;
export type OptionsOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: Exclude<ReturnType<Table[Name]['read']>, undefined>;
};

export const oneOf = <const Word extends string>(words: readonly Word[]): Option<Word> => ({
  form: words.join(', '),
  read: (text) => words.find((word) => word === text),
});

export const toggle: Option<boolean> = {
  form: 'true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

/** One element for each coordinate; an empty one is the default. */
export const perCoordinate = <Value>(
  form: string,
  read: Option<Value>['read'],
): Option<(Value | undefined)[]> => ({
  form: `${form};…, one for each coordinate`,
  read: (text) =>
    allOf(text.split(';').map((each) => (each === '' ? { value: undefined } : wrapped(read(each))))),
});

/** Numbers of coordinates, counted from 0. */
export const indices: Option<number[]> = {
  form: '{index};{index};…',
  read: (text) => allOf(text.split(';').map((each) => wrapped(readCount(each)))),
};

/** Words with a comma between them; undefined if one is unknown. */
export function readWords<Word extends string>(text: string, words: readonly Word[]): Word[] | undefined {
  return allOf(text.split(',').map((each) => wrapped(words.find((word) => word === each))));
}

export const wrapped = <Value>(value: Value | undefined) => (value === undefined ? undefined : { value });

const allOf = <Value>(read: readonly ({ readonly value: Value } | undefined)[]): Value[] | undefined => {
  const values = read.flatMap((each) => (each === undefined ? [] : [each.value]));
  return values.length === read.length ? values : undefined;
};

/** As programs write numbers: 0.0017986420252700447, 1e-7. */
const decimal = /^[+-]?\d{1,12}(?:\.\d{1,24})?(?:[eE][+-]?\d{1,2})?$/;
export const readDecimal = (text: string): number | undefined =>
  decimal.test(text) ? Number(text) : undefined;
export const readCount = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** The parsed options, or a sentence about an unknown or malformed one. */
export function readOptions<Table extends OptionTable>(
  table: Table,
  query: Readonly<Record<string, string>>,
  service: string,
): OptionsOf<Table> | string {
  const read: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query)) {
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined) return messages.unknownOption(name.slice(0, 40), service);
    const value = option.read(text);
    if (value === undefined) return messages.badOption(name, option.form, text.slice(0, 40));
    read[name] = value;
  }
  return read as OptionsOf<Table>;
}
