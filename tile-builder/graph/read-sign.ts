import type { OsmExtract } from '#osm/elements/osm-extract.js';
import type { WayRules } from '#osm/profiles/read-way.js';
import { slopePercent } from '#osm/profiles/riding.js';
import { packSign, type RoadSign } from '#routing-engine/network/road-sign.js';
import type { Tags } from '#schemas/osm-sink.js';
import { readDirections } from './read-directions.js';
import { readLanes } from './read-lanes.js';

const signKeys = ['destination', 'destination:ref', 'destination:street'].flatMap((key) => [
  key,
  `${key}:forward`,
  `${key}:backward`,
]);

/** Whether a way has a sign, a pronunciation or a slope at all. */
export const maySign = (tags: Tags): boolean =>
  tags.has('junction:ref') ||
  tags.has('name:pronunciation') ||
  tags.has('incline') ||
  signKeys.some((key) => tags.has(key)) ||
  tags.get('highway')?.endsWith('_link') === true;

/** What relations say of a way: `routeDirections` and `statedManeuvers`. */
interface SaidOfWay {
  readonly routes: string;
  readonly maneuvers: string;
}

export const saidOf = ({ directions, maneuvers }: OsmExtract, way: number): SaidOfWay => ({
  routes: directions.get(way) ?? '',
  maneuvers: maneuvers.get(way) ?? '',
});
export const isSaid = (one: SaidOfWay, other: SaidOfWay): boolean =>
  one.routes === other.routes && one.maneuvers === other.maneuvers;

/** Signs, lanes, pronunciation of the name, directions of numbers and slope, as they are stored. */
export const signText = (tags: Tags, reading: WayRules, from: Tags | undefined, said: SaidOfWay): string =>
  packSign({
    sign: readSign(tags, reading, from),
    lanes: readLanes(tags, reading),
    pronunciation: readPronunciation(tags),
    directions: readDirections(tags, reading, said.routes),
    maneuvers: said.maneuvers,
    slope: readSlope(tags),
  });

/** https://wiki.openstreetmap.org/wiki/Key:incline, if it states a number. */
function readSlope(tags: Tags): string {
  const percent = slopePercent(tags.get('incline'));
  return percent === 0 ? '' : percent.toFixed(1);
}

/** OpenStreetMap's values have at most as many characters. */
const pronunciationMax = 255;

/** https://wiki.openstreetmap.org/wiki/Key:name:pronunciation; of a way without a name it means nothing. */
function readPronunciation(tags: Tags): string {
  const said = (tags.get('name:pronunciation') ?? '').replaceAll(/\p{C}/gu, '').trim();
  return tags.has('name') && said.length <= pronunciationMax ? said : '';
}

/**
 * What the signs at the beginning of a road say.
 *
 * Signs are read along the drawn direction, and against it on one-way roads that run so. An exit has its
 * number on the first road of the ramp (`junction:ref`), or, usual in most countries, on the crossing where
 * the ramp leaves.
 */
function readSign(tags: Tags, reading: WayRules, from: Tags | undefined): RoadSign {
  const direction = directionOf(reading);
  const sign = (key: string): string =>
    list(
      direction === 'both' ? tags.get(`${key}:forward`) : (tags.get(`${key}:${direction}`) ?? tags.get(key)),
    );
  const isRamp = tags.get('highway')?.endsWith('_link') === true;
  const junction = isRamp && from?.get('highway') === 'motorway_junction' ? from : undefined;
  const refs = sign('destination:ref');
  const places =
    sign('destination') || list(junction?.get('exit_to')) || (refs === '' ? sign('destination:street') : '');
  return {
    destinations: refs === '' || places === '' ? refs + places : `${refs}: ${places}`,
    exits: list(tags.get('junction:ref') ?? junction?.get('ref')),
  };
}

function directionOf({ forwardKph, backwardKph }: WayRules): 'forward' | 'backward' | 'both' {
  const [forward, backward] = [forwardKph[DRIVING]! > 0, backwardKph[DRIVING]! > 0];
  return forward === backward ? 'both' : forward ? 'forward' : 'backward';
}

const DRIVING = 0;

/**
 * `Sinsen;Stovner` of the map as people write it: `Sinsen, Stovner`. A colon would divide numbers from
 * places.
 */
const list = (values: string | undefined): string =>
  (values ?? '')
    .split(';')
    .map((value) => value.replaceAll(':', ' ').replace(/\s+/g, ' ').trim())
    .filter((value) => value !== '')
    .join(', ');
