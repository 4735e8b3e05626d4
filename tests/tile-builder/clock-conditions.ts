import type { Holds } from './legal-tags.js';

const dayNames = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The conditions of the tests at a time of which the getters for UTC show the clock: months, days of the week
 * and times from the start of a minute to the start of another, which may be that of the next day. Written
 * for the oracle, without the library.
 */
export const conditionsAt =
  (at: Date): Holds =>
  (condition) =>
    condition
      .replaceAll(/\s*([-,])\s*/g, '$1')
      .split(';')
      .some((rule) => rule.split(' AND ').every((part) => holds(part.trim(), at)));

function holds(text: string, at: Date): boolean {
  const [, months, days, times] =
    /^((?:[A-Z][a-z]{2}(?:-[A-Z][a-z]{2})?)?)\s*((?:[A-Z][a-z](?![a-z])[-,]?)*)\s*([\d:,-]*)$/.exec(text) ??
    [];
  if (times === undefined) throw new Error(`the oracle does not read ${text}`);
  const minute = 60 * at.getUTCHours() + at.getUTCMinutes();
  const within = (day: number): boolean => inCycle(days!, dayNames, day);
  if (!inCycle(months!, monthNames, at.getUTCMonth())) return false;
  if (times === '') return within(at.getUTCDay());
  return times.split(',').some((range) => {
    const [from = 0, to = 0] = range.split('-').map((each) => {
      const [hour, minutes] = each.split(':').map(Number);
      return 60 * hour! + minutes!;
    });
    if (from < to) return within(at.getUTCDay()) && minute >= from && minute < to;
    return (within(at.getUTCDay()) && minute >= from) || (within((at.getUTCDay() + 6) % 7) && minute < to);
  });
}

/** `Mo-Fr`, `Sa,Su`, `Nov-Mar`; nothing means always. */
function inCycle(text: string, names: readonly string[], at: number): boolean {
  if (text === '') return true;
  return text.split(',').some((range) => {
    const [from, to = from] = range.split('-').map((name) => names.indexOf(name));
    return from! <= to! ? at >= from! && at <= to! : at >= from! || at <= to!;
  });
}
