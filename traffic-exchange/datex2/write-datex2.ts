import type { FeedHead, PublishedEvent, PublishedLine } from '../events/published-event.js';
import type { LineReference, ReferencePoint } from '../openlr/line-reference.js';
import { element, text, writeXml, type Xml } from './write-xml.js';

const namespaces = {
  'xmlns:d2': 'http://datex2.eu/schema/3/d2Payload',
  'xmlns:com': 'http://datex2.eu/schema/3/common',
  'xmlns:loc': 'http://datex2.eu/schema/3/locationReferencing',
  'xmlns:sit': 'http://datex2.eu/schema/3/situation',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
};

/** DATEX II 3.1, `SituationPublication`: one situation for each incident, one record for each line. */
export function writeDatex2(events: readonly PublishedEvent[], { publisher, writtenMs }: FeedHead): string {
  const attributes = { 'xsi:type': 'sit:SituationPublication', lang: 'en', modelBaseVersion: '3' };
  return writeXml(
    element('d2:payload', { ...namespaces, ...attributes }, [
      text('com:publicationTime', time(writtenMs)),
      // Whoever runs the platform is not a body of one country; `zz` is no country's code.
      element('com:publicationCreator', {}, [
        text('com:country', 'zz'),
        text('com:nationalIdentifier', publisher),
      ]),
      ...events.map(situation),
    ]),
  );
}

const situation = (event: PublishedEvent): Xml =>
  element('sit:situation', { id: event.id }, [
    element('sit:headerInformation', {}, [
      text('com:confidentiality', 'noRestriction'),
      text('com:informationStatus', 'real'),
    ]),
    ...event.lines.map((line, i) => record(event, line, i)),
  ]);

/** The order of the elements is that of the schema. */
function record(event: PublishedEvent, line: PublishedLine, index: number): Xml {
  const { id, effect, source, startMs, endMs, description } = event;
  const isClosed = effect.kind === 'closed';
  const type = isClosed ? 'RoadOrCarriagewayOrLaneManagement' : 'SpeedManagement';
  const attributes = { 'xsi:type': `sit:${type}`, id: `${id}.${index + 1}`, version: '1' };
  return element('sit:situationRecord', attributes, [
    text('sit:situationRecordCreationTime', time(startMs)),
    text('sit:situationRecordVersionTime', time(startMs)),
    text('sit:probabilityOfOccurrence', source === 'operator' ? 'certain' : 'probable'),
    element('sit:validity', {}, [
      text('com:validityStatus', 'definedByValidityTimeSpec'),
      element('com:validityTimeSpecification', {}, [
        text('com:overallStartTime', time(startMs)),
        text('com:overallEndTime', time(endMs)),
      ]),
    ]),
    ...(description === '' ? [] : [comment(description)]),
    location(line),
    // A slow road is no order to drive slowly.
    text('sit:complianceOption', isClosed ? 'mandatory' : 'advisory'),
    isClosed
      ? text('sit:roadOrCarriagewayOrLaneManagementType', 'roadClosed')
      : text('sit:temporarySpeedLimit', effect.speedKph),
  ]);
}

const comment = (description: string): Xml =>
  element('sit:generalPublicComment', {}, [
    element('sit:comment', {}, [element('com:values', {}, [text('com:value', description, { lang: 'en' })])]),
  ]);

const location = ({ coordinates, openlr }: PublishedLine): Xml =>
  element('sit:locationReference', { 'xsi:type': 'loc:LinearLocation' }, [
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

const time = (ms: number): string => new Date(ms).toISOString();
