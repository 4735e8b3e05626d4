import type { PublishedLine } from '../events/published-event.js';
import type { LineReference, ReferencePoint } from '../openlr/line-reference.js';
import { element, text, type Xml } from './write-xml.js';

/** A linear location by OpenLR and coordinates; `name` is that of the element. */
export const location = (name: string, { coordinates, openlr }: PublishedLine): Xml =>
  element(name, { 'xsi:type': 'loc:LinearLocation' }, [
    ...(openlr === undefined ? [] : [element('loc:openlrLinear', {}, [openlrLine(openlr)])]),
    element('loc:gmlLineString', { srsName: 'EPSG:4326', srsDimension: '2' }, [
      text('loc:posList', coordinates.map(([lng, lat]) => `${degrees(lat)} ${degrees(lng)}`).join(' ')),
    ]),
  ]);

function openlrLine({ points }: LineReference): Xml {
  const last = points.length - 1;
  return element('loc:firstDirection', {}, [
    ...points
      .slice(0, last)
      .map((point) => element('loc:openlrLocationReferencePoint', {}, [...ofPoint(point), ofPath(point)])),
    element('loc:openlrLastLocationReferencePoint', {}, ofPoint(points[last]!)),
  ]);
}

const ofPoint = ({ lat, lng, frc, fow, bearingDeg }: ReferencePoint): Xml[] => [
  element('loc:openlrCoordinates', {}, [
    text('loc:latitude', degrees(lat)),
    text('loc:longitude', degrees(lng)),
  ]),
  element('loc:openlrLineAttributes', {}, [
    text('loc:openlrFunctionalRoadClass', `frc${frc}`),
    text('loc:openlrFormOfWay', fow),
    text('loc:openlrBearing', Math.round(bearingDeg) % 360),
  ]),
];

const ofPath = ({ toNext }: ReferencePoint): Xml =>
  element('loc:openlrPathAttributes', {}, [
    text('loc:openlrLowestFrcToNextLRPoint', `frc${toNext!.lowestFrc}`),
    text('loc:openlrDistanceToNextLRPoint', Math.round(toNext!.distanceM)),
  ]);

/** Without an exponent, which a list of positions may not have. */
const degrees = (value: number): string => value.toFixed(7);
