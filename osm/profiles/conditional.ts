import { readHours } from '#routing-engine/hours/read-hours.js';

/** One part of a `…:conditional` value: `value @ (condition)`. */
export interface ConditionalClause {
  readonly value: string;
  /**
   * `always` is valid at any hour. `hours` is valid at the times in `hours`. `unread` is valid at some hours,
   * days or seasons that the text does not state in a form that can be read. `other` has a condition that the
   * traveller does not meet (heavy, a lorry, a resident) or that is not about access (rain), or is a single
   * event.
   */
  readonly holds: 'always' | 'hours' | 'unread' | 'other';
  /** As `readHours` reads them; empty unless it `holds` at hours. */
  readonly hours: string;
  /** The text in brackets. */
  readonly condition: string;
}

/**
 * Properties of vehicles and loads, groups of users, weather;
 * https://wiki.openstreetmap.org/wiki/Conditional_restrictions.
 */
const notOfTheHour =
  /[<>=]|\b(wet|rain|snow|ice|fog|hgv|hgv_articulated|goods|hazmat|bus|psv|taxi|coach|tourist_bus|trailer|caravan|motorhome|motorcycle|moped|tractor|emergency|residents?|permit|private|destination|delivery|customers|disabled|agricultural|forestry|staff)\b/i;
const alwaysHolds = /^(24\/7|always|permanent)$/i;
const calendarYear = /\b(19|20)\d\d\b/;
/** With holidays that the library knows: which country it is, the map says later. */
const anyCountry = 'DE';

/** The clauses of a conditional value; a text without `@` has none. */
export function readConditional(text: string | undefined): ConditionalClause[] {
  if (text === undefined) return [];
  const clauses: ConditionalClause[] = [];
  for (const [, value, inBrackets, bare] of text.matchAll(/([^@;]+)@\s*(?:\(([^)]*)\)|([^;]*))/g)) {
    const condition = (inBrackets ?? bare ?? '').trim();
    const holds = kindOf(condition);
    clauses.push({ value: value.trim(), holds, hours: holds === 'hours' ? condition : '', condition });
  }
  return clauses;
}

function kindOf(condition: string): ConditionalClause['holds'] {
  if (alwaysHolds.test(condition)) return 'always';
  if (notOfTheHour.test(condition) || calendarYear.test(condition)) return 'other';
  return readHours(condition, anyCountry) === undefined ? 'unread' : 'hours';
}
