import { readPosition } from '../events/read-fields.js';
import { UnusableEvent } from '../events/road-event.js';
import { pointsMax } from '../openlr/limits.js';
import {
  formsOfWay,
  type LineReference,
  legMetresMax,
  type ReferencePoint,
} from '../openlr/line-reference.js';
import { childOf, childrenOf, type Element, textOf } from './read-elements.js';

/** A line of OpenLR in the elements of DATEX II. Throws `UnusableEvent`. */
export function readOpenlr(line: Element): LineReference {
  const first = childrenOf(line, 'openlrLocationReferencePoint').map((point) => ({
    ...readPoint(point),
    toNext: readPath(point),
  }));
  const last = childOf(line, 'openlrLastLocationReferencePoint');
  if (first.length === 0 || last === undefined || first.length >= pointsMax)
    throw new UnusableEvent(`its OpenLR line does not have 2 to ${pointsMax} points`);
  const offsets = childOf(line, 'openlrOffsets');
  return {
    points: [...first, readPoint(last)],
    positiveOffset: shareOf(offsets, 'openlrPositiveOffset', first[0]!.toNext.distanceM),
    negativeOffset: shareOf(offsets, 'openlrNegativeOffset', first.at(-1)!.toNext.distanceM),
  };
}

function readPoint(point: Element): ReferencePoint {
  const coordinates = childOf(point, 'openlrCoordinates');
  const [lng, lat] = readPosition(numberOf(coordinates, 'longitude'), numberOf(coordinates, 'latitude'));
  const attributes = childOf(point, 'openlrLineAttributes');
  const fow = formsOfWay.find((form) => form === textOf(attributes, 'openlrFormOfWay'));
  return {
    ...{ lat, lng, fow: fow ?? 'undefined' },
    frc: classOf(attributes, 'openlrFunctionalRoadClass'),
    bearingDeg: within(numberOf(attributes, 'openlrBearing'), 0, 360, 'bearing') % 360,
  };
}

function readPath(point: Element): NonNullable<ReferencePoint['toNext']> {
  const path = childOf(point, 'openlrPathAttributes');
  const distanceM = numberOf(path, 'openlrDistanceToNextLRPoint');
  return {
    lowestFrc: classOf(path, 'openlrLowestFrcToNextLRPoint'),
    distanceM: within(distanceM, 0, legMetresMax, 'distance'),
  };
}

function classOf(element: Element | undefined, name: string): number {
  const found = /^frc([0-7])$/i.exec(textOf(element, name) ?? '');
  if (found === null) throw new UnusableEvent('its OpenLR has no road class');
  return Number(found[1]);
}

/** Metres as a share of the leg that they are cut off. */
function shareOf(offsets: Element | undefined, name: string, legM: number): number {
  if (textOf(offsets, name) === undefined || legM === 0) return 0;
  return Math.min(0.999, within(numberOf(offsets, name), 0, legMetresMax, 'offset') / legM);
}

const numberOf = (element: Element | undefined, name: string): number =>
  Number(textOf(element, name) ?? Number.NaN);

function within(value: number, least: number, most: number, name: string): number {
  if (!(value >= least && value <= most)) throw new UnusableEvent(`its OpenLR has no usable ${name}`);
  return value;
}
