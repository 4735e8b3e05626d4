import timeZoneAt from '@photostructure/tz-lookup';
import { getTimezone } from 'countries-and-timezones';
import { LRUCache } from 'lru-cache';
import { mapClock } from '../arrival-times/map-clock.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { type ShutAt, shutBy } from './shut-by.js';

const minuteMs = 60_000;
/** Minutes and states of which the open edges are kept. */
const keptMax = 128;

interface Hours {
  readonly rules: readonly ShutAt[];
  /** By minute, which rules shut. */
  readonly byMinute: LRUCache<number, string>;
  /** By mode and rules that shut, the open edges. */
  readonly byState: LRUCache<string, ReadonlySet<number>>;
}

const hoursOf = new WeakMap<object, Hours>();
const none: ReadonlySet<number> = new Set();

/**
 * The edges that are open to the mode at some hours only, and at this minute: by the clock and the public
 * holidays at the middle of the map. While nothing opens or shuts, the set is the same object.
 */
export function openEdges(network: RoadNetwork, mode: TravelMode, atMs: number): ReadonlySet<number> {
  const { hours } = network.meta;
  const column = modeIndex(mode);
  if (!hours.some(({ edges }) => edges[column].length > 0)) return none;
  const known = knownHours(network);
  const minute = Math.floor(atMs / minuteMs);
  let state = known.byMinute.get(minute);
  if (state === undefined) {
    const clock = clockAt(network, minute * minuteMs);
    state = known.rules.map((shutAt) => (shutAt(clock) ? 1 : 0)).join('');
    known.byMinute.set(minute, state);
  }
  const key = `${column}${state}`;
  let open = known.byState.get(key);
  if (open === undefined) {
    open = edgesThatAreOpen(network, column, state);
    known.byState.set(key, open);
  }
  return open;
}

function edgesThatAreOpen({ meta }: RoadNetwork, column: number, state: string): ReadonlySet<number> {
  const open = new Set(meta.hours.flatMap(({ edges }) => edges[column]));
  for (const [rule, { edges }] of meta.hours.entries())
    if (state[rule] === '1') for (const edge of edges[column]) open.delete(edge);
  return open;
}

/**
 * A date with the map's clock in its local getters, which is what the library reads. In the hour that the
 * zone of this process skips once a year it shows the hour after.
 */
function clockAt(network: RoadNetwork, atMs: number): Date {
  const local = new Date(mapClock(network)(atMs));
  return new Date(
    ...([local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()] as const),
    ...([local.getUTCHours(), local.getUTCMinutes()] as const),
  );
}

function knownHours({ meta, bounds }: RoadNetwork): Hours {
  let known = hoursOf.get(meta);
  if (known === undefined) {
    const [west, south, east, north] = bounds;
    const country = getTimezone(timeZoneAt((south + north) / 2, (west + east) / 2))?.countries[0] ?? '';
    known = {
      rules: meta.hours.map((rule) => shutBy(rule, country)),
      byMinute: new LRUCache({ max: keptMax }),
      byState: new LRUCache({ max: keptMax }),
    };
    hoursOf.set(meta, known);
  }
  return known;
}
