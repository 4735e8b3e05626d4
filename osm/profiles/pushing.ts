import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { HoursRule } from '#routing-engine/network/hours-rule.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import type { Tags } from '#schemas/osm-sink.js';
import { accessOf, type Said } from './access.js';
import { profiles } from './profiles.js';

const [riding, walking] = [modeIndex('bicycling'), modeIndex('walking')];
const [rider, walker] = [profiles[riding]!, profiles[walking]!];
const { pushing } = rider;

/** One direction of a way, by mode. */
interface Direction {
  readonly kph: number[];
  /** Bits of `edgeFlag`. */
  flags: number;
  readonly hours: (readonly HoursRule[])[];
}

/**
 * Gives a direction that may be walked, and ridden at no hour, the speed of a bicycle that is pushed: against
 * a one-way street, on footways and stairs, and where `bicycle=dismount` asks for it. A tag that closes the
 * way to bicycles closes it to pushed ones, as in OSRM.
 * https://wiki.openstreetmap.org/wiki/Tag:bicycle%3Ddismount
 */
export function push(tags: Tags, direction: 'forward' | 'backward', way: Direction): void {
  const { kph } = way;
  if (pushing === undefined || kph[riding] !== 0 || kph[walking] === 0) return;
  const asRider = accessOf(tags, rider, direction);
  const { byName: hasWalkers } = accessOf(tags, walker, direction);
  // `access=no` with `foot=yes` is open to those who walk.
  const closes = ({ right, byName }: Said): boolean => right === 'closed' && (byName || !hasWalkers);
  const dismounts = ['bicycle', `bicycle:${direction}`].some((key) => tags.get(key) === 'dismount');
  if (!isFit(tags, direction) || asRider.unread || (closes(asRider) && !dismounts)) return;
  const most = tags.get('highway') === 'steps' ? pushing.stepsKph : pushing.kph;
  kph[riding] = Math.min(kph[walking]!, most);
  way.flags |= edgeFlag.pushing;
  // A tag that opens the way to bicycles says to which; else those of walkers count.
  const isOwn = asRider.byName && asRider.right !== 'closed';
  const isEndsOnly = isOwn ? asRider.right === 'endsOnly' : (way.flags & edgeFlag.endsOnlyWalking) !== 0;
  if (isEndsOnly) way.flags |= edgeFlag.endsOnlyBicycling;
  const clauses = asRider.atHours.map((each) => ({ shut: closes(each), hours: each.hours }));
  const isShutAtTimes = clauses.some(({ shut }) => shut);
  way.hours[riding] = [...way.hours[walking]!, ...(isShutAtTimes ? [{ shut: false, clauses }] : [])];
}

const circular = /^(roundabout|circular)$/;

/** Not on an escalator, in a building, on a path for horses, or against roundabouts and motorways. */
function isFit(tags: Tags, direction: 'forward' | 'backward'): boolean {
  const highway = tags.get('highway') ?? '';
  if (highway === 'corridor' || tags.has('conveying')) return false;
  if (highway === 'bridleway' && accessOf(tags, walker).right !== 'open') return false;
  const isOneway = circular.test(tags.get('junction') ?? '') || highway.startsWith('motorway');
  return direction === 'forward' || !isOneway;
}
