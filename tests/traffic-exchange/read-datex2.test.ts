import { describe, expect, it } from 'vitest';
import { readDatex2 } from '#traffic-exchange/datex2/read-datex2.js';
import {
  depthMax,
  elementsMax,
  eventsMax,
  periodsMax,
  placesMax,
  textCharactersMax,
} from '#traffic-exchange/events/limits.js';
import { InvalidFeed } from '#traffic-exchange/events/road-event.js';
import { datex2Feed, gmlLine, roadClosed, type SampleRecord, situation } from './sample-feeds.js';

const read = (...records: SampleRecord[]) => readDatex2(datex2Feed(records.map(situation).join('')));
const [start, end] = [Date.UTC(2026, 10, 1, 5), Date.UTC(2026, 11, 1, 5)];

const management = (kind: string): string => roadClosed.replace('roadClosed', kind);
const status = (value: string, times: string): string =>
  `<com:validityStatus>${value}</com:validityStatus>
   <com:validityTimeSpecification>${times}</com:validityTimeSpecification>`;
const overall =
  '<com:overallStartTime>2026-11-01T06:00:00+01:00</com:overallStartTime>' +
  '<com:overallEndTime>2026-12-01T06:00:00+01:00</com:overallEndTime>';
const period = (name: string, from: string, to: string): string =>
  `<com:${name}><com:startOfPeriod>${from}</com:startOfPeriod>
   <com:endOfPeriod>${to}</com:endOfPeriod></com:${name}>`;
const location = (type: string, content: string): string =>
  `<sit:locationReference xsi:type="loc:${type}">${content}</sit:locationReference>`;
const coordinates = (lat: number, lng: number): string =>
  `<loc:pointCoordinates><loc:latitude>${lat}</loc:latitude>
   <loc:longitude>${lng}</loc:longitude></loc:pointCoordinates>`;

const openlrPoint = (last: boolean): string => `
  <loc:openlr${last ? 'Last' : ''}LocationReferencePoint>
    <loc:openlrCoordinates><loc:latitude>57.7</loc:latitude><loc:longitude>${last ? 11.98 : 11.97}</loc:longitude>
    </loc:openlrCoordinates>
    <loc:openlrLineAttributes><loc:openlrFunctionalRoadClass>frc3</loc:openlrFunctionalRoadClass>
      <loc:openlrFormOfWay>singleCarriageway</loc:openlrFormOfWay>
      <loc:openlrBearing>${last ? 270 : 90}</loc:openlrBearing></loc:openlrLineAttributes>
    ${
      last
        ? ''
        : `<loc:openlrPathAttributes><loc:openlrLowestFrcToNextLRPoint>frc4</loc:openlrLowestFrcToNextLRPoint>
      <loc:openlrDistanceToNextLRPoint>600</loc:openlrDistanceToNextLRPoint></loc:openlrPathAttributes>`
    }
  </loc:openlr${last ? 'Last' : ''}LocationReferencePoint>`;
const openlr = `<loc:openlrLinear><loc:firstDirection>${openlrPoint(false)}${openlrPoint(true)}
  <loc:openlrOffsets><loc:openlrPositiveOffset>150</loc:openlrPositiveOffset></loc:openlrOffsets>
  </loc:firstDirection></loc:openlrLinear>`;

describe('a DATEX II situation publication', () => {
  it('is read with its closures, times and lines', () => {
    expect(read({})).toEqual({
      events: [
        {
          id: 'record-1',
          effect: { kind: 'closed' },
          periods: [{ startMs: start, endMs: end }],
          places: [
            {
              line: [
                [11.97, 57.7],
                [11.98, 57.7],
              ],
            },
          ],
          bothDirections: false,
          description: 'Nya rör & kablar',
        },
      ],
      skipped: [],
    });
  });

  it('may be the root itself, with other prefixes', () => {
    const text = datex2Feed(situation(), { root: 'con:payloadContainer' }).replaceAll('sit:', 's9:');
    expect(readDatex2(text.replace('xmlns:sit', 'xmlns:s9')).events).toHaveLength(1);
  });

  it.each<[string, SampleRecord, object]>([
    ['a closed carriageway', { more: management('carriagewayClosures') }, { kind: 'closed' }],
    ['a winter closure', { more: management('closedPermanentlyForTheWinter') }, { kind: 'closed' }],
    [
      'a speed limit',
      { type: 'SpeedManagement', more: '<sit:temporarySpeedLimit>30.0</sit:temporarySpeedLimit>' },
      { kind: 'slow', speedKph: 30 },
    ],
    [
      'an accident that blocks the road',
      { type: 'Accident', more: '<sit:trafficConstrictionType>roadBlocked</sit:trafficConstrictionType>' },
      { kind: 'closed' },
    ],
    [
      'works without traffic',
      { type: 'MaintenanceWorks', more: '<sit:underTraffic>false</sit:underTraffic>' },
      { kind: 'closed' },
    ],
    [
      'a closure for cars among others',
      {
        more:
          '<sit:forVehiclesWithCharacteristicsOf><com:vehicleType>lorry</com:vehicleType>' +
          `<com:vehicleType>car</com:vehicleType></sit:forVehiclesWithCharacteristicsOf>${roadClosed}`,
      },
      { kind: 'closed' },
    ],
  ])('has %s', (_name, record, effect) => {
    expect(read(record).events[0]?.effect).toEqual(effect);
  });

  it.each<[string, SampleRecord, RegExp]>([
    ['a lane closure', { more: management('laneClosures') }, /laneClosures: the road stays open/],
    ['nights without times', { more: management('overnightClosures') }, /without times/],
    ['advice', { more: roadClosed.replace('mandatory', 'advisory') }, /only advice/],
    [
      'a closure for lorries',
      {
        more:
          '<sit:forVehiclesWithCharacteristicsOf><com:vehicleType>lorry</com:vehicleType>' +
          `</sit:forVehiclesWithCharacteristicsOf>${roadClosed}`,
      },
      /not for all cars/,
    ],
    [
      'a closure above 3.5 t',
      {
        more:
          '<sit:forVehiclesWithCharacteristicsOf><com:vehicleType>anyVehicle</com:vehicleType>' +
          '<com:grossWeightCharacteristic/>' +
          `</sit:forVehiclesWithCharacteristicsOf>${roadClosed}`,
      },
      /not for all cars/,
    ],
    [
      'a closed cycle track',
      {
        location: location(
          'LinearLocation',
          '<loc:supplementaryPositionalDescription><loc:carriageway><loc:carriageway>cycleTrack' +
            '</loc:carriageway></loc:carriageway></loc:supplementaryPositionalDescription>' +
            '<loc:gmlLineString><loc:posList>57.7 11.97 57.7 11.98</loc:posList></loc:gmlLineString>',
        ),
      },
      /cycleTrack only/,
    ],
    ['works beside traffic', { type: 'MaintenanceWorks', more: '' }, /MaintenanceWorks: the road stays open/],
    ['an exercise', { informationStatus: 'technicalExercise' }, /not real but technicalExercise/],
    ['a suspended record', { validity: status('suspended', overall) }, /suspended/],
    ['no start', { validity: status('active', '') }, /no overallStartTime/],
    [
      'a limit of 900',
      { type: 'SpeedManagement', more: '<sit:temporarySpeedLimit>900</sit:temporarySpeedLimit>' },
      /not between/,
    ],
    ['no limit', { type: 'SpeedManagement', more: '' }, /without a speed limit/],
    [
      'only an Alert-C location',
      { location: location('LinearLocation', '<loc:alertCLinear/>') },
      /only alertCLinear/,
    ],
    ['no location', { location: '' }, /no location/],
    [
      'too many locations',
      {
        location: location('LocationGroupByList', '<loc:locationContainedInGroup/>'.repeat(placesMax + 1)),
      },
      /more than 64 locations/,
    ],
    [
      'too many periods',
      {
        validity: status(
          'definedByValidityTimeSpec',
          overall +
            period('validPeriod', '2026-11-10T20:00:00Z', '2026-11-11T04:00:00Z').repeat(periodsMax + 1),
        ),
      },
      /more than 400 periods/,
    ],
    [
      'another coordinate system',
      { location: gmlLine('1 2 3 4', 'srsName="EPSG:2154"') },
      /coordinate system that is not read/,
    ],
    ['an odd list of positions', { location: gmlLine('57.7 11.97 57.7') }, /no usable list/],
    ['words for positions', { location: gmlLine('a b c d') }, /not a longitude/],
    [
      'times by day of the week',
      {
        validity: status(
          'definedByValidityTimeSpec',
          `${overall}<com:validPeriod><com:recurringDayWeekMonthPeriod/></com:validPeriod>`,
        ),
      },
      /come back by day or week/,
    ],
    [
      'a damaged OpenLR line',
      { location: location('LinearLocation', openlr.replace('frc3', 'big')) },
      /no road class/,
    ],
  ])('names %s and uses the other records', (_name, record, reason) => {
    const { events, skipped } = read(record, { id: 'other' });
    expect(events.map(({ id }) => id)).toEqual(['other']);
    expect(skipped).toEqual([{ id: 'record-1', reason: expect.stringMatching(reason) }]);
  });

  it('holds from now on where it is active, and as long as it overruns', () => {
    const validity = status('active', overall);
    expect(read({ validity }).events[0]!.periods).toEqual([{ startMs: 0, endMs: end }]);
    const overrunning = validity.replace(
      '<com:validityTimeSpecification>',
      '<com:overrunning>true</com:overrunning><com:validityTimeSpecification>',
    );
    expect(read({ validity: overrunning }).events[0]!.periods).toEqual([{ startMs: 0, endMs: undefined }]);
  });

  it('holds in the listed periods without the exceptions', () => {
    const validity = status(
      'definedByValidityTimeSpec',
      overall +
        period('validPeriod', '2026-11-10T20:00:00Z', '2026-11-11T04:00:00Z') +
        period('validPeriod', '2026-10-01T20:00:00Z', '2026-11-02T04:00:00Z') +
        period('exceptionPeriod', '2026-11-10T22:00:00Z', '2026-11-10T23:00:00Z'),
    );
    const { events } = read({ validity, more: management('overnightClosures') });
    expect(events[0]!.periods).toEqual([
      { startMs: start, endMs: Date.UTC(2026, 10, 2, 4) },
      { startMs: Date.UTC(2026, 10, 10, 20), endMs: Date.UTC(2026, 10, 10, 22) },
      { startMs: Date.UTC(2026, 10, 10, 23), endMs: Date.UTC(2026, 10, 11, 4) },
    ]);
  });

  it('says where it is in OpenLR, from point to point, at a point, or at several places', () => {
    const place = (content: string) => read({ location: content }).events[0]!.places;
    const [line] = place(location('LinearLocation', openlr))[0]!.openlr!;
    expect(line!.points.map(({ lng, fow }) => [lng, fow])).toEqual([
      [11.97, 'singleCarriageway'],
      [11.98, 'singleCarriageway'],
    ]);
    expect(line!.points[0]!.toNext).toEqual({ lowestFrc: 4, distanceM: 600 });
    expect([line!.positiveOffset, line!.negativeOffset]).toEqual([0.25, 0]);
    const tpeg =
      `<loc:tpegLinearLocation><loc:tpegDirection>bothWays</loc:tpegDirection><loc:to>${coordinates(57.7, 11.98)}` +
      `</loc:to><loc:from>${coordinates(57.7, 11.97)}</loc:from></loc:tpegLinearLocation>`;
    const both = read({ location: location('SingleRoadLinearLocation', tpeg) }).events[0]!;
    expect(both.bothDirections).toBe(true);
    expect(both.places[0]!.line).toEqual([
      [11.97, 57.7],
      [11.98, 57.7],
    ]);
    const point = `<loc:pointByCoordinates>${coordinates(57.7, 11.97)}</loc:pointByCoordinates>`;
    expect(place(location('PointLocation', point))).toEqual([{ point: [11.97, 57.7] }]);
    const member = `<loc:locationContainedInGroup xsi:type="loc:PointLocation">${point}</loc:locationContainedInGroup>`;
    const unread = '<loc:locationContainedInGroup><loc:alertCLinear/></loc:locationContainedInGroup>';
    expect(place(location('LocationGroupByList', member + unread + member))).toHaveLength(2);
    expect(
      place(gmlLine('11.97 57.7 11.98 57.7', 'srsName="urn:ogc:def:crs:OGC:1.3:CRS84"'))[0]!.line,
    ).toEqual([
      [11.97, 57.7],
      [11.98, 57.7],
    ]);
    expect(place(gmlLine('57.7 11.97 5 57.7 11.98 6', 'srsDimension="3"'))[0]!.line).toHaveLength(2);
  });

  it.each([
    ['25833', '161458.229 6795347.916', [8.705021853902, 61.145870207349]],
    ['urn:ogc:def:crs:EPSG::25832', '691608.0 5334760.0', [11.575557698668, 48.13721847009]],
    ['EPSG:32719', '312345.678 7123456.789', [-70.874809638842, -25.995605976938]],
  ])('reads UTM as PROJ does, %s', (system, first, [lng, lat]) => {
    const { events } = read({ location: gmlLine(`${first} 500000 6000000`, `srsName="${system}"`) });
    const [position] = events[0]!.places[0]!.line!;
    expect(position![0]).toBeCloseTo(lng!, 7);
    expect(position![1]).toBeCloseTo(lat!, 7);
  });

  const doctype = '<!DOCTYPE a [<!ENTITY b "c">]>';
  it.each<[string, string, RegExp]>([
    ['that is cut off', datex2Feed(situation()).slice(0, -40), /not XML/],
    ['that is JSON', '{}', /not XML/],
    ['that is empty', '', /not XML/],
    [
      'with a document type',
      datex2Feed('').replace('<con:message', `${doctype}<con:message`),
      /document type/,
    ],
    ['with an entity', datex2Feed('&b;'), /not XML/],
    ['of version 2', '<d2LogicalModel modelBaseVersion="2"/>', /version 2; version 3/],
    ['of another model', datex2Feed('', { version: '4' }), /version 4/],
    ['of another kind', datex2Feed('', { type: 'roa:MeasuredDataPublication' }), /MeasuredDataPublication/],
    ['without a payload', '<a/>', /no DATEX II payload/],
    ['in Latin 1', datex2Feed('').replace('UTF-8', 'ISO-8859-1'), /UTF-8/],
    ['that is nested too deep', '<a>'.repeat(depthMax + 1), /nested deeper than 32/],
    [
      'with a situation of too many elements',
      datex2Feed(`<sit:situation>${'<a/>'.repeat(elementsMax + 1)}</sit:situation>`),
      /situation has more than 200000 elements/,
    ],
    [
      'with a text that is too long',
      datex2Feed(`<sit:situation>${'x'.repeat(textCharactersMax + 1)}</sit:situation>`),
      /longer than 1048576 characters/,
    ],
    [
      'with too many records',
      datex2Feed(`<sit:situation>${'<sit:situationRecord/>'.repeat(eventsMax + 1)}</sit:situation>`),
      /more than 20000/,
    ],
  ])('%s is refused as a whole', (_name, text, reason) => {
    expect(() => readDatex2(text)).toThrow(InvalidFeed);
    expect(() => readDatex2(text)).toThrow(reason);
  });

  it('without situations has no events', () => {
    expect(readDatex2(datex2Feed(''))).toEqual({ events: [], skipped: [] });
  });
});
