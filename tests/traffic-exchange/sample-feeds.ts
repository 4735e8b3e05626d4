/** Feeds as road authorities write them, with fields that nobody here needs. */

export interface SampleZone {
  readonly id?: unknown;
  readonly impact?: string;
  readonly line?: unknown;
  readonly start?: string;
  readonly end?: string;
  readonly geometryType?: string;
  /** Over everything that a work zone has. */
  readonly properties?: object;
  readonly core?: object;
}

const usualLine = [
  [11.97, 57.7],
  [11.98, 57.7],
];

export const workZone = ({
  id = 'zone-1',
  impact = 'all-lanes-closed',
  line = usualLine,
  start = '2026-11-01T06:00:00Z',
  end = '2026-12-01T06:00:00Z',
  geometryType = 'LineString',
  properties,
  core,
}: SampleZone = {}) => ({
  id,
  type: 'Feature',
  properties: {
    core_details: {
      event_type: 'work-zone',
      data_source_id: '1',
      road_names: ['Storgatan', 'Rv 40'],
      direction: 'eastbound',
      description: 'New pipes',
      update_date: '2026-10-30T06:00:00Z',
      ...core,
    },
    start_date: start,
    end_date: end,
    is_start_date_verified: false,
    is_end_date_verified: false,
    is_start_position_verified: false,
    is_end_position_verified: true,
    location_method: 'channel-device-method',
    vehicle_impact: impact,
    worker_presence: { are_workers_present: true },
    types_of_work: [{ type_name: 'below-road-work', is_architectural_change: false }],
    ...properties,
  },
  geometry: { type: geometryType, coordinates: line },
});

export const wzdxFeed = (features: readonly unknown[], info: object = {}): string =>
  JSON.stringify({
    feed_info: {
      update_date: '2026-11-02T10:00:00Z',
      publisher: 'Test city',
      version: '4.2',
      license: 'https://creativecommons.org/publicdomain/zero/1.0/',
      data_sources: [{ data_source_id: '1', organization_name: 'Test city' }],
      ...info,
    },
    type: 'FeatureCollection',
    features,
    next_page: null,
  });

export interface SampleRecord {
  readonly id?: string;
  readonly type?: string;
  readonly validity?: string;
  readonly location?: string;
  /** Elements behind the location. */
  readonly more?: string;
  readonly head?: string;
  readonly informationStatus?: string;
}

const validBetween = (start: string, end: string): string =>
  `<com:validityStatus>definedByValidityTimeSpec</com:validityStatus>
   <com:validityTimeSpecification><com:overallStartTime>${start}</com:overallStartTime>
   <com:overallEndTime>${end}</com:overallEndTime></com:validityTimeSpecification>`;
export const roadClosed =
  '<sit:complianceOption>mandatory</sit:complianceOption>' +
  '<sit:roadOrCarriagewayOrLaneManagementType>roadClosed</sit:roadOrCarriagewayOrLaneManagementType>';
export const gmlLine = (list: string, attributes = 'srsName="EPSG:4326"'): string =>
  `<sit:locationReference xsi:type="loc:LinearLocation"><loc:gmlLineString ${attributes}>
   <loc:posList>${list}</loc:posList></loc:gmlLineString></sit:locationReference>`;

export const situation = ({
  id = 'record-1',
  type = 'RoadOrCarriagewayOrLaneManagement',
  validity = validBetween('2026-11-01T06:00:00+01:00', '2026-12-01T06:00:00+01:00'),
  location = gmlLine('57.7 11.97 57.7 11.98'),
  more = roadClosed,
  head = '',
  informationStatus = 'real',
}: SampleRecord = {}): string => `
  <sit:situation id="of-${id}">
    <sit:overallSeverity>low</sit:overallSeverity>
    <sit:headerInformation><com:confidentiality>noRestriction</com:confidentiality>
      <com:informationStatus>${informationStatus}</com:informationStatus></sit:headerInformation>
    <sit:situationRecord xsi:type="sit:${type}" id="${id}" version="3">
      <sit:situationRecordCreationTime>2026-10-30T06:00:00Z</sit:situationRecordCreationTime>
      <sit:situationRecordVersionTime>2026-10-30T06:00:00Z</sit:situationRecordVersionTime>
      <sit:probabilityOfOccurrence>certain</sit:probabilityOfOccurrence>
      <sit:validity>${validity}</sit:validity>${head}
      <sit:generalPublicComment><sit:comment><com:values><com:value lang="sv">Nya r&#246;r &amp; kablar
        </com:value></com:values></sit:comment></sit:generalPublicComment>
      ${location}${more}
    </sit:situationRecord>
  </sit:situation>`;

export const datex2Feed = (
  situations: string,
  { type = 'sit:SituationPublication', version = '3', root = 'con:messageContainer' } = {},
): string => `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns:con="http://datex2.eu/schema/3/messageContainer"
    xmlns:com="http://datex2.eu/schema/3/common" xmlns:sit="http://datex2.eu/schema/3/situation"
    xmlns:loc="http://datex2.eu/schema/3/locationReferencing"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <con:payload xsi:type="${type}" lang="sv" modelBaseVersion="${version}">
    <com:publicationTime>2026-11-02T10:00:00Z</com:publicationTime>
    <com:publicationCreator><com:country>se</com:country>
      <com:nationalIdentifier>test</com:nationalIdentifier></com:publicationCreator>${situations}
  </con:payload>
  <con:exchangeInformation><con:other>x</con:other></con:exchangeInformation>
</${root}>`;
