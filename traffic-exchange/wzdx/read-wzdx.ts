import { depthMax, eventsMax, feedBytesMax, idCharactersMax } from '../events/limits.js';
import { plainText, readLine, readPeriod, readPosition, readSpeed, readTime } from '../events/read-fields.js';
import {
  type EventPlace,
  InvalidFeed,
  type Position,
  type ReadFeed,
  type RoadEffect,
  type RoadEvent,
  type SkippedEvent,
  UnusableEvent,
} from '../events/road-event.js';
import { decodeLineBase64, InvalidOpenlr } from '../openlr/line-binary.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Work Zone Data Exchange, 4.0 to 4.2: GeoJSON with one feature for each direction of a road. Throws
 * `InvalidFeed`. Fields that are not needed are not looked at.
 */
export function readWzdx(text: string): ReadFeed {
  const feed = parse(text);
  if (feed['type'] !== 'FeatureCollection') throw new InvalidFeed('It is not a GeoJSON FeatureCollection.');
  const info = feed['feed_info'] ?? feed['road_event_feed_info'];
  const version = isObject(info) ? info['version'] : undefined;
  if (typeof version !== 'string') throw new InvalidFeed('It has no feed_info with a version.');
  if (!/^4\.\d{1,3}$/.test(version))
    throw new InvalidFeed(`It is WZDx ${plainText(version).slice(0, 16)}; 4.0 to 4.2 can be read.`);
  const features = feed['features'];
  if (!Array.isArray(features)) throw new InvalidFeed('It has no features.');
  if (features.length > eventsMax) throw new InvalidFeed(`It has more than ${eventsMax} events.`);

  const events = new Map<string, RoadEvent>();
  const skipped: SkippedEvent[] = [];
  features.forEach((feature: unknown, i) => {
    const id = isObject(feature) ? feature['id'] : undefined;
    const name = typeof id === 'string' ? plainText(id) : `feature ${i + 1}`;
    try {
      if (!isObject(feature) || typeof id !== 'string' || id === '' || id.length > idCharactersMax)
        throw new UnusableEvent('it has no usable id');
      if (events.has(id)) throw new UnusableEvent('another event of the feed has the same id');
      events.set(id, readEvent(id, feature));
    } catch (error) {
      if (!(error instanceof UnusableEvent)) throw error;
      skipped.push({ id: name, reason: error.message });
    }
  });
  return { events: [...events.values()], skipped };
}

function readEvent(id: string, { properties, geometry }: Fields): RoadEvent {
  if (!isObject(properties) || !isObject(properties['core_details']))
    throw new UnusableEvent('it has no properties with core_details');
  const core = properties['core_details'];
  const effect = readEffect(properties, core['event_type']);
  const endMs = readTime(properties['end_date'], 'end_date');
  return {
    id,
    effect,
    periods: [readPeriod(readTime(properties['start_date'], 'start_date'), endMs)],
    places: [{ ...readOwnOpenlr(properties['openlr']), line: readGeometry(geometry) }],
    bothDirections: false,
    description: plainText(namesOf(core['road_names']), core['description'] ?? core['name']),
  };
}

function readEffect(properties: Fields, eventType: unknown): RoadEffect {
  if (eventType !== 'work-zone')
    throw new UnusableEvent(`a ${plainText(eventType).slice(0, 32) || 'missing'} event type closes no road`);
  const status = properties['event_status'];
  if (status === 'cancelled' || status === 'completed') throw new UnusableEvent(`it is ${status}`);
  if (properties['work_zone_type'] === 'planned-moving-area')
    throw new UnusableEvent('works move within its area, which is not closed as a whole');
  const impact = properties['vehicle_impact'];
  if (impact === 'all-lanes-closed') return { kind: 'closed' };
  const speed = properties['reduced_speed_limit_kph'];
  if (typeof speed === 'number')
    return { kind: 'slow', speedKph: readSpeed(speed, 'reduced_speed_limit_kph') };
  const stated = plainText(impact).slice(0, 48) || 'is missing';
  throw new UnusableEvent(`vehicle_impact ${stated}: the road stays open, at no stated speed`);
}

function readGeometry(geometry: unknown): readonly Position[] {
  if (!isObject(geometry) || !['LineString', 'MultiPoint'].includes(String(geometry['type'])))
    throw new UnusableEvent('its geometry is neither a LineString nor a MultiPoint');
  const positions = geometry['coordinates'];
  if (!Array.isArray(positions)) throw new UnusableEvent('its geometry has no coordinates');
  return readLine(
    positions.map((position: unknown) => {
      if (!Array.isArray(position)) throw new UnusableEvent('a position is not a longitude and a latitude');
      return readPosition(position[0], position[1]);
    }),
  );
}

/** The foreign member that the platform's own feeds have; of any other kind, it says nothing. */
function readOwnOpenlr(value: unknown): Pick<EventPlace, 'openlr'> {
  if (typeof value !== 'string') return {};
  try {
    return { openlr: [decodeLineBase64(value)] };
  } catch (error) {
    if (!(error instanceof InvalidOpenlr)) throw error;
    return {};
  }
}

const namesOf = (names: unknown): string =>
  Array.isArray(names) ? names.filter((name) => typeof name === 'string').join(', ') : '';

function parse(text: string): Fields {
  if (Buffer.byteLength(text) > feedBytesMax)
    throw new InvalidFeed(`It is longer than ${feedBytesMax} bytes.`);
  if (isTooDeep(text)) throw new InvalidFeed(`Its JSON is nested deeper than ${depthMax} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidFeed('It is not JSON.');
  }
  if (!isObject(value)) throw new InvalidFeed('It is not a JSON object.');
  return value;
}

/** Before it is parsed, so that no text takes much more memory than itself. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === 0x5c) at++;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > depthMax) return true;
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
  return false;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
