import type { WayRules } from '#osm/profiles/read-way.js';
import { type AlongAndAgainst, noneOfBoth } from '#routing-engine/network/road-sign.js';
import type { Tags } from '#schemas/osm-sink.js';

const laneKeys = ['turn:lanes', 'turn:lanes:forward', 'turn:lanes:backward'];

/** Whether `readLanes` finds anything on a way at all. */
export const mayHaveLanes = (tags: Tags): boolean => laneKeys.some((key) => tags.has(key));

/** More lanes than at any toll gate. */
const lanesMax = 32;
const directions = new Set([
  ...['left', 'slight_left', 'sharp_left', 'through', 'right', 'slight_right', 'sharp_right'],
  ...['reverse', 'merge_to_left', 'merge_to_right', 'none'],
]);

/**
 * Where the lanes lead, of those that a car may use
 * (https://wiki.openstreetmap.org/wiki/Key:turn, https://wiki.openstreetmap.org/wiki/Lanes).
 */
export function readLanes(tags: Tags, { forwardKph, backwardKph }: WayRules): AlongAndAgainst {
  if (!mayHaveLanes(tags)) return noneOfBoth;
  const [along, against] = [forwardKph[DRIVING]! > 0, backwardKph[DRIVING]! > 0];
  return {
    along: along ? lanesOf(tags, ':forward', !against) : '',
    against: against ? lanesOf(tags, ':backward', !along) : '',
  };
}

const DRIVING = 0;
/** The last one that is there says who may use a lane. */
const accessKeys = ['access', 'vehicle', 'motor_vehicle', 'motorcar'];
const busKeys = ['lanes:psv', 'lanes:bus'];

/** A key without a direction is for one-way roads. */
function lanesOf(tags: Tags, direction: string, isOneway: boolean): string {
  const said = (key: string): string | undefined =>
    tags.get(`${key}${direction}`) ?? (isOneway ? tags.get(key) : undefined);
  let lanes = (said('turn:lanes') ?? '').split('|').map(wordsOf);
  if (lanes.length > lanesMax || lanes.includes(undefined)) return '';
  for (const key of accessKeys) {
    const access = said(`${key}:lanes`)?.split('|');
    if (access?.length === lanes.length) lanes = lanes.filter((_, at) => access[at] !== 'no');
  }
  for (let buses = busLanes(said); buses > 0; buses--) {
    if (lanes.at(-1) === '') lanes.pop();
    else if (lanes[0] === '') lanes.shift();
  }
  return lanes.every((lane) => lane === '') ? '' : lanes.join('|');
}

/** `left;through` as it is, nothing for a lane without a sign; undefined for a value that is not known. */
function wordsOf(lane: string): string | undefined {
  const words = lane.split(';').map((word) => word.trim());
  if (words.every((word) => word === '' || word === 'none')) return '';
  return words.every((word) => directions.has(word)) ? words.join(';') : undefined;
}

function busLanes(said: (key: string) => string | undefined): number {
  const counts = busKeys.map((key) => Number(said(key) ?? 0)).filter(Number.isSafeInteger);
  return Math.max(0, ...counts.filter((count) => count <= lanesMax));
}
