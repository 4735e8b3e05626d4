import { placesMax, positionsMax } from '../events/limits.js';
import { readLine, readPosition } from '../events/read-fields.js';
import { type EventPlace, type Position, UnusableEvent } from '../events/road-event.js';
import { decodeLineBase64, InvalidOpenlr } from '../openlr/line-binary.js';
import type { LineReference } from '../openlr/line-reference.js';
import { childOf, childrenOf, descendantsOf, type Element, textOf } from './read-elements.js';
import { readOpenlr } from './read-openlr.js';
import { fromUtm, utmZoneOf } from './transverse-mercator.js';

const bothWays = ['bothWays', 'allDirections', 'both'];

/**
 * Roads that a location reference names, all of which the record is on. Members of a group that cannot be
 * read are left out, since groups often describe one road in several ways. Throws `UnusableEvent` when none
 * can.
 */
export function readPlaces(reference: Element): readonly EventPlace[] {
  const contained = [
    ...childrenOf(reference, 'locationContainedInItinerary').flatMap((each) => childrenOf(each, 'location')),
    ...childrenOf(reference, 'locationContainedInGroup'),
  ];
  if (contained.length > placesMax) throw new UnusableEvent(`it has more than ${placesMax} locations`);
  if (contained.length === 0) return [readPlace(reference)];
  const places: EventPlace[] = [];
  let fault: UnusableEvent | undefined;
  for (const each of contained)
    try {
      places.push(readPlace(each));
    } catch (error) {
      if (!(error instanceof UnusableEvent)) throw error;
      fault ??= error;
    }
  if (places.length === 0 && fault !== undefined) throw fault;
  return places;
}

export const isForBothDirections = (record: Element, location: Element): boolean =>
  [
    ...childrenOf(record, 'applicableForTrafficDirection'),
    ...descendantsOf(location, 'tpegDirection'),
    ...descendantsOf(location, 'directionRelativeOnLinearSection'),
    ...descendantsOf(location, 'alertCAffectedDirection'),
  ].some(({ text }) => bothWays.includes(text));

function readPlace(location: Element): EventPlace {
  const openlr = linesOf(location);
  const line = lineOf(location);
  const point =
    coordinatesOf(childOf(location, 'pointByCoordinates', 'pointCoordinates')) ??
    coordinatesOf(childOf(location, 'tpegPointLocation', 'point', 'pointCoordinates'));
  const place: EventPlace = {
    ...(openlr.length === 0 ? {} : { openlr }),
    ...(line === undefined ? {} : { line }),
    ...(point === undefined ? {} : { point }),
  };
  if (Object.keys(place).length > 0) return place;
  const given = location.children.map(({ name }) => name).filter((name) => /^[\w-]{1,40}$/.test(name));
  throw new UnusableEvent(
    `its location has neither OpenLR nor coordinates, only ${given.slice(0, 4).join(', ') || 'nothing'}`,
  );
}

function linesOf(location: Element): readonly LineReference[] {
  const linear = childOf(location, 'openlrLinear');
  const directions = ['firstDirection', 'oppositeDirection'].flatMap((name) => childrenOf(linear, name));
  const binaries = descendantsOf(location, 'openlrBinary');
  try {
    return [...directions.map(readOpenlr), ...binaries.map(({ text }) => decodeLineBase64(text))];
  } catch (error) {
    if (!(error instanceof InvalidOpenlr)) throw error;
    throw new UnusableEvent(`its OpenLR cannot be read: ${error.message}`);
  }
}

function lineOf(location: Element): readonly Position[] | undefined {
  const gml = childOf(location, 'gmlLineString');
  if (gml !== undefined) return readGml(gml);
  const tpeg = childOf(location, 'tpegLinearLocation');
  const [from, to] = [
    coordinatesOf(childOf(tpeg, 'from', 'pointCoordinates')),
    coordinatesOf(childOf(tpeg, 'to', 'pointCoordinates')),
  ];
  return from === undefined || to === undefined ? undefined : readLine([from, to]);
}

/** The first and the second number of a position. */
type ToPosition = (first: number, second: number) => Position;

const latitudeFirst: ToPosition = (lat, lng) => readPosition(lng, lat);

/** By the order of the axes that the coordinate system has: WGS 84, ETRS89, or a zone of UTM. */
function axesOf(system: string): ToPosition {
  if (/CRS84/i.test(system)) return readPosition;
  const code = Number(/(?:^|\D)(\d{4,5})$/.exec(system)?.[1]);
  if (code === 4326 || code === 4258) return latitudeFirst;
  const zone = utmZoneOf(code);
  if (zone === undefined) throw new UnusableEvent('its line is in a coordinate system that is not read');
  return (easting, northing) => readPosition(...fromUtm(zone, easting, northing));
}

function readGml(gml: Element): readonly Position[] {
  const toPosition = axesOf(gml.attributes['srsName'] ?? 'EPSG:4326');
  const size = gml.attributes['srsDimension'] === '3' ? 3 : 2;
  const numbers = (textOf(gml, 'posList') ?? '').split(/\s+/).map(Number);
  if (numbers.length % size !== 0 || numbers.length > size * positionsMax)
    throw new UnusableEvent('its line has no usable list of positions');
  return readLine(
    Array.from({ length: numbers.length / size }, (_, i) =>
      toPosition(numbers[size * i]!, numbers[size * i + 1]!),
    ),
  );
}

function coordinatesOf(element: Element | undefined): Position | undefined {
  const [lat, lng] = [textOf(element, 'latitude'), textOf(element, 'longitude')];
  return lat === undefined || lng === undefined ? undefined : readPosition(Number(lng), Number(lat));
}
