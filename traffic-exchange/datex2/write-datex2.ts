import type { FeedHead, PublishedEvent, PublishedLine } from '../events/published-event.js';
import { location } from './write-location.js';
import { headerInformation, time, writePublication } from './write-publication.js';
import { element, text, type Xml } from './write-xml.js';

/** `SituationPublication`: one situation for each incident, one record for each line. */
export const writeDatex2 = (events: readonly PublishedEvent[], head: FeedHead): string =>
  writePublication('sit:SituationPublication', head, events.map(situation));

const situation = (event: PublishedEvent): Xml =>
  element('sit:situation', { id: event.id }, [
    headerInformation('sit:headerInformation'),
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
    location('sit:locationReference', line),
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
