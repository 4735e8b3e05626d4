import { descriptionCharactersMax, positionsMax, speedKphMax, speedKphMin } from './limits.js';
import { type Period, type Position, UnusableEvent } from './road-event.js';

/** Fields that all formats have, read with the same rules. All throw `UnusableEvent`. */

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** RFC 3339, and ISO 8601 with minutes; a time without its zone says nothing. Unix milliseconds. */
export function readTime(value: unknown, name: string): number {
  const ms = typeof value === 'string' && dateTime.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new UnusableEvent(`${name} is not a date and time with a zone`);
  return ms;
}

export function readPeriod(startMs: number, endMs: number | undefined): Period {
  if (endMs !== undefined && endMs <= startMs) throw new UnusableEvent('it ends before it starts');
  return { startMs, endMs };
}

export function readPosition(lng: unknown, lat: unknown): Position {
  if (typeof lng !== 'number' || typeof lat !== 'number' || !(Math.abs(lng) <= 180) || !(Math.abs(lat) <= 90))
    throw new UnusableEvent('a position is not a longitude and a latitude');
  return [lng, lat];
}

/** Without positions that repeat the previous one. */
export function readLine(positions: readonly Position[]): readonly Position[] {
  if (positions.length > positionsMax)
    throw new UnusableEvent(`its line has more than ${positionsMax} positions`);
  const line = positions.filter(
    ([lng, lat], i) => i === 0 || lng !== positions[i - 1]![0] || lat !== positions[i - 1]![1],
  );
  if (line.length < 2) throw new UnusableEvent('its line has fewer than two places');
  return line;
}

export function readSpeed(value: number, name: string): number {
  if (!(value >= speedKphMin && value <= speedKphMax))
    throw new UnusableEvent(`${name} is not between ${speedKphMin} and ${speedKphMax} km/h`);
  return value;
}

/** One line of plain text, cut where it is too long. */
export function plainText(...parts: readonly unknown[]): string {
  const texts = parts.filter((part): part is string => typeof part === 'string' && part.trim() !== '');
  const text = texts
    .join(': ')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  const letters = Array.from(text);
  return letters.length <= descriptionCharactersMax
    ? text
    : `${letters.slice(0, descriptionCharactersMax - 1).join('')}…`;
}
