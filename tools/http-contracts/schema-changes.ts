import type { JsonSchema } from './json-schema.js';

/**
 * Who writes the value: what a client sends must stay accepted, what a server answers must stay readable.
 */
export type Side = 'request' | 'answer';

const lowerBounds = ['minLength', 'minItems', 'minProperties'] as const;
const upperBounds = ['maxLength', 'maxItems', 'maxProperties'] as const;
const open: JsonSchema = {};

/**
 * How `after` breaks clients that know `before`, as sentences; none if it does not. Requests may be accepted
 * more widely, never more narrowly. Answers may get fields, words of a list and greater values; nothing in
 * them may disappear, be left out, or change its type or format.
 *
 * @param at place of the value, for the sentences
 */
export function schemaChanges(before: JsonSchema, after: JsonSchema, side: Side, at: string): string[] {
  const [given, taking] = side === 'request' ? [before, after] : [after, before];
  const variants = variantsOf(given);
  const candidates = variantsOf(taking);
  return variants.flatMap((variant) => {
    const ofVariant = candidates.map((candidate) => {
      const [was, is] = side === 'request' ? [variant, candidate] : [candidate, variant];
      return { faults: leaf(was, is, side, at), isOtherType: typeChange(was, is, side, at) !== undefined };
    });
    // Of several, the one that was meant is the nearest of the same type.
    const distance = ({ faults, isOtherType }: (typeof ofVariant)[number]): number =>
      isOtherType ? Infinity : faults.length;
    return ofVariant.reduce((best, next) => (distance(next) < distance(best) ? next : best)).faults;
  });
}

const variantsOf = (schema: JsonSchema): readonly JsonSchema[] => schema.anyOf ?? [schema];

function leaf(before: JsonSchema, after: JsonSchema, side: Side, at: string): string[] {
  if (Object.keys(side === 'request' ? after : before).length === 0) return [];
  const ofType = typeChange(before, after, side, at);
  if (ofType !== undefined) return [ofType];
  return [
    ...wordChanges(before, after, side, at),
    ...formatChanges(before, after, side, at),
    ...boundChanges(before, after, side, at),
    ...fieldChanges(before, after, side, at),
    ...itemChanges(before, after, side, at),
  ];
}

function typeChange(before: JsonSchema, after: JsonSchema, side: Side, at: string): string | undefined {
  if (before.type === after.type) return undefined;
  const [narrow, wide] = side === 'request' ? [before.type, after.type] : [after.type, before.type];
  if (wide === undefined || (narrow === 'integer' && wide === 'number')) return undefined;
  return `${at} was ${before.type ?? 'any value'} and is ${after.type ?? 'any value'}.`;
}

function wordChanges({ enum: before }: JsonSchema, { enum: after }: JsonSchema, side: Side, at: string) {
  if (before === undefined)
    return after !== undefined && side === 'request' ? [`${at} accepts only ${list(after)}.`] : [];
  if (after === undefined) return side === 'request' ? [] : [`${at} was one of ${list(before)}.`];
  const gone = before.filter((word) => !after.includes(word));
  if (gone.length > 0) return [`${at} has no ${list(gone)} any more.`];
  // A constant tells kinds of objects apart; a list of words may grow.
  const becameList = side === 'answer' && before.length === 1 && after.length > 1;
  return becameList ? [`${at} was always ${list(before)}.`] : [];
}

const list = (words: readonly unknown[]): string => words.map((word) => JSON.stringify(word)).join(', ');

function formatChanges(before: JsonSchema, after: JsonSchema, side: Side, at: string): string[] {
  const faults: string[] = [];
  for (const keyword of ['format', 'pattern'] as const) {
    const [was, is] = [before[keyword], after[keyword]];
    const [promised, kept] = side === 'request' ? [is, was] : [was, is];
    // Whether one pattern accepts all of another is shown only where it is the first alternative.
    const isAlternative = keyword === 'pattern' && promised?.startsWith(`${kept}|`) === true;
    if (promised !== undefined && promised !== kept && !isAlternative)
      faults.push(`${at} had the ${keyword} ${was ?? '(none)'} and has ${is ?? '(none)'}.`);
  }
  if (side === 'request' && before.default !== undefined && before.default !== after.default)
    faults.push(`${at} had the default ${list([before.default])}.`);
  const [mayRepeat, unique] = side === 'request' ? [before, after] : [after, before];
  if (unique.uniqueItems === true && mayRepeat.uniqueItems !== true)
    faults.push(side === 'request' ? `${at} accepts no item twice.` : `${at} may have an item twice.`);
  return faults;
}

/** Lower bounds of answers stay, too. Greatest values may grow: what clients may send is answered. */
function boundChanges(before: JsonSchema, after: JsonSchema, side: Side, at: string): string[] {
  const faults: string[] = [];
  const [wide, narrow] = side === 'request' ? [before, after] : [after, before];
  const was = side === 'request' ? 'accepts less: it' : 'promises less: it';
  for (const keyword of lowerBounds)
    if ((narrow[keyword] ?? 0) > (wide[keyword] ?? 0)) faults.push(change(keyword));
  if (isHigher(least(narrow), least(wide))) faults.push(change('minimum'));
  if (side === 'answer') return faults;
  for (const keyword of upperBounds)
    if ((narrow[keyword] ?? Infinity) < (wide[keyword] ?? Infinity)) faults.push(change(keyword));
  if (isHigher(greatest(narrow), greatest(wide))) faults.push(change('maximum'));
  return faults;

  function change(
    keyword: 'minimum' | 'maximum' | (typeof lowerBounds)[number] | (typeof upperBounds)[number],
  ) {
    const value = (schema: JsonSchema) =>
      schema[keyword] ??
      (keyword === 'minimum' ? schema.exclusiveMinimum : undefined) ??
      (keyword === 'maximum' ? schema.exclusiveMaximum : undefined) ??
      'none';
    return `${at} ${was} had ${keyword} ${value(before)} and has ${value(after)}.`;
  }
}

/** A bound of numbers from below, negated from above, and whether the bound itself is outside. */
type Bound = readonly [value: number, isOutside: boolean];
const tighter = (first: Bound, second: Bound): Bound => (isHigher(first, second) ? first : second);
const isHigher = ([value, outside]: Bound, [other, otherOutside]: Bound): boolean =>
  value > other || (value === other && outside && !otherOutside);
const least = ({ minimum = -Infinity, exclusiveMinimum = -Infinity }: JsonSchema): Bound =>
  tighter([minimum, false], [exclusiveMinimum, exclusiveMinimum > -Infinity]);
const greatest = ({ maximum = Infinity, exclusiveMaximum = Infinity }: JsonSchema): Bound =>
  tighter([-maximum, false], [-exclusiveMaximum, exclusiveMaximum < Infinity]);

function fieldChanges(before: JsonSchema, after: JsonSchema, side: Side, at: string): string[] {
  const faults: string[] = [];
  const fields = before.properties ?? {};
  for (const [name, was] of Object.entries(fields)) {
    const is = after.properties?.[name];
    if (is !== undefined) faults.push(...schemaChanges(was, is, side, `${at}/${name}`));
    else if (after.type !== undefined)
      faults.push(`${at}/${name} is ${side === 'request' ? 'not accepted' : 'not answered'} any more.`);
  }
  const [mayLack, needs] = side === 'request' ? [before, after] : [after, before];
  for (const name of needs.required ?? [])
    if (mayLack.required?.includes(name) !== true && (side === 'request' || after.properties?.[name]))
      faults.push(`${at}/${name} ${side === 'request' ? 'is required now' : 'may be missing now'}.`);
  if (side === 'request' && isOpen(before) && !isOpen(after) && after.type === 'object')
    faults.push(`${at} accepts no other fields any more.`);
  return [...faults, ...recordChanges(before, after, side, at)];
}

const isOpen = ({ additionalProperties }: JsonSchema): boolean => additionalProperties !== false;

/** Values under names that the client or server chooses. */
function recordChanges(before: JsonSchema, after: JsonSchema, side: Side, at: string): string[] {
  const faults = Object.entries(before.patternProperties ?? {}).flatMap(([names, was]) => {
    const is = after.patternProperties?.[names];
    return is === undefined
      ? [`${at} had fields named ${names}.`]
      : schemaChanges(was, is, side, `${at}/{${names}}`);
  });
  const [was, is] = [others(before), others(after)];
  return was === undefined && is === undefined
    ? faults
    : [...faults, ...schemaChanges(was ?? open, is ?? open, side, `${at}/{name}`)];
}

const others = ({ additionalProperties }: JsonSchema): JsonSchema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

function itemChanges({ items: before }: JsonSchema, { items: after }: JsonSchema, side: Side, at: string) {
  return before === undefined && after === undefined
    ? []
    : schemaChanges(before ?? open, after ?? open, side, `${at}[]`);
}
