import timeZoneAt from '@photostructure/tz-lookup';
import type { RoadNetwork } from '../network/road-network.js';

/** Clock time at an instant, in Unix milliseconds as if the clock showed UTC. */
export type LocalMs = (atMs: number) => number;

const hourMs = 3_600_000;
const clocks = new WeakMap<object, LocalMs>();

/**
 * The clock at the middle of a map, by the IANA database. People travel by their clocks, so the hour of a
 * trip is one of these. A map of several time zones has one clock.
 */
export function mapClock({ bounds }: Pick<RoadNetwork, 'bounds'>): LocalMs {
  const [west, south, east, north] = bounds;
  const clock = clocks.get(bounds) ?? zoneClock(timeZoneAt((south + north) / 2, (west + east) / 2));
  clocks.set(bounds, clock);
  return clock;
}

/** The clock of a time zone. Clocks change at full hours, so an offset holds for an hour. */
export function zoneClock(timeZone: string): LocalMs {
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric' },
  });
  const offsetMs = (fullHourMs: number): number => {
    const parts = new Map(format.formatToParts(fullHourMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type)!;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - fullHourMs;
  };
  let [knownMs, known] = [Number.NaN, 0];
  return (atMs) => {
    const fullHourMs = Math.floor(atMs / hourMs) * hourMs;
    if (fullHourMs !== knownMs) [knownMs, known] = [fullHourMs, offsetMs(fullHourMs)];
    return atMs + known;
  };
}
