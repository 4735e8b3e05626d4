/** One part of a `…:conditional` value: `value @ (condition)`. */
export interface ConditionalClause {
  readonly value: string;
  /**
   * `always` is valid at any hour. `times` is valid at some hours, days or seasons, or its times are unknown.
   * `other` has a condition that the traveller does not meet (heavy, a lorry, a resident) or that is not
   * about access (rain), or has a year, which makes it a single event.
   */
  readonly holds: 'always' | 'times' | 'other';
}

/**
 * Properties of vehicles and loads, groups of users, weather;
 * https://wiki.openstreetmap.org/wiki/Conditional_restrictions.
 */
const notOfTheHour =
  /[<>=]|\b(wet|rain|snow|ice|fog|hgv|hgv_articulated|goods|hazmat|bus|psv|taxi|coach|tourist_bus|trailer|caravan|motorhome|motorcycle|moped|tractor|emergency|residents?|permit|private|destination|delivery|customers|disabled|agricultural|forestry|staff)\b/i;
const alwaysHolds = /^(24\/7|always|permanent)$/i;
const calendarYear = /\b(19|20)\d\d\b/;

/** The clauses of a conditional value; a text without `@` has none. */
export function readConditional(text: string | undefined): ConditionalClause[] {
  if (text === undefined) return [];
  const clauses: ConditionalClause[] = [];
  for (const [, value, inBrackets, bare] of text.matchAll(/([^@;]+)@\s*(?:\(([^)]*)\)|([^;]*))/g)) {
    const condition = (inBrackets ?? bare ?? '').trim();
    clauses.push({ value: value.trim(), holds: kindOf(condition) });
  }
  return clauses;
}

function kindOf(condition: string): ConditionalClause['holds'] {
  if (alwaysHolds.test(condition)) return 'always';
  return notOfTheHour.test(condition) || calendarYear.test(condition) ? 'other' : 'times';
}
