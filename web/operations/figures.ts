import { language } from '../language/language.js';
import { messages } from './messages.js';

const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const twoDecimals = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const threeDecimals = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

export const count = (value: number): string => whole.format(value);

/** Fewer decimals the larger it is. */
const short = (value: number): string =>
  (value >= 100 ? whole : value >= 10 ? oneDecimal : twoDecimals).format(value);

export const rate = (perSecond: number): string => messages.perSecond(short(perSecond));

/** A share from 0 to 1; what is not nothing never reads as nothing. */
export function share(value: number): string {
  const percent = 100 * value;
  return messages.percent(percent > 0 && percent < 0.01 ? `<${twoDecimals.format(0.01)}` : short(percent));
}

/** Of an answer, milliseconds. */
export const latency = (ms: number): string =>
  ms >= 1_000 ? messages.seconds(short(ms / 1_000)) : messages.milliseconds(short(ms));

/** Rounded to the unit that people would say. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms / 1_000);
  if (seconds < 90) return messages.seconds(count(seconds));
  if (seconds < 5_400) return messages.minutes(count(seconds / 60));
  if (seconds < 48 * 3_600) return messages.hours(oneDecimal.format(seconds / 3_600));
  return messages.days(count(seconds / 86_400));
}

/** How long ago `at` was, by the clock of the server that said both. */
export const age = (at: string, nowIso: string): string =>
  messages.ago(duration(Date.parse(nowIso) - Date.parse(at)));

const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const hoursAndMinutes = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' });
const dayAndTime = new Intl.DateTimeFormat(language, {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

export const timeOfDay = (ms: number): string => clock.format(ms);

/** Hours and minutes; with the day, if it is not that of `nowIso`. */
export function moment(at: string, nowIso: string): string {
  const [then, now] = [new Date(at), new Date(nowIso)];
  return (then.toDateString() === now.toDateString() ? hoursAndMinutes : dayAndTime).format(then);
}

/** A place as people copy it. */
export const place = (lat: number, lng: number): string =>
  messages.place(threeDecimals.format(lat), threeDecimals.format(lng));
