import { eventsMax, idCharactersMax } from '../events/limits.js';
import { plainText } from '../events/read-fields.js';
import {
  InvalidFeed,
  type ReadFeed,
  type RoadEvent,
  type SkippedEvent,
  UnusableEvent,
} from '../events/road-event.js';
import { readEffect } from './read-effect.js';
import { childOf, childrenOf, type Element, readElements, textOf } from './read-elements.js';
import { isForBothDirections, readPlaces } from './read-location.js';
import { readPeriods } from './read-validity.js';

const publication = 'SituationPublication';

/**
 * DATEX II, version 3: situation records of `SituationPublication`. Throws `InvalidFeed`. Elements that are
 * not needed are not looked at.
 */
export function readDatex2(text: string): ReadFeed {
  const events = new Map<string, RoadEvent>();
  const skipped: SkippedEvent[] = [];
  let records = 0;
  let publications = 0;
  let others = '';
  readElements(text, {
    collects: 'situation',
    onOpen({ name, type, attributes }, depth) {
      if (depth === 0 && name === 'd2LogicalModel') throw new InvalidFeed(wrongVersion('2'));
      if (name !== 'payload' && name !== 'payloadPublication' && type !== publication) return;
      const version = attributes['modelBaseVersion'];
      if (version !== undefined && version !== '3') throw new InvalidFeed(wrongVersion(version));
      if (type === publication) publications++;
      else others = type;
    },
    onCollected(situation) {
      if (publications === 0) return;
      for (const record of childrenOf(situation, 'situationRecord')) {
        if (++records > eventsMax) throw new InvalidFeed(`It has more than ${eventsMax} situation records.`);
        const id = record.attributes['id'] ?? '';
        try {
          if (id === '' || id.length > idCharactersMax) throw new UnusableEvent('it has no usable id');
          if (events.has(id)) throw new UnusableEvent('another record of the feed has the same id');
          events.set(id, readRecord(id, record, situation));
        } catch (error) {
          if (!(error instanceof UnusableEvent)) throw error;
          skipped.push({ id: plainText(id) || `record ${records}`, reason: error.message });
        }
      }
    },
  });
  if (publications === 0)
    throw new InvalidFeed(
      others === ''
        ? 'It has no DATEX II payload with a SituationPublication.'
        : `It is a ${plainText(others).slice(0, 64)} and not a SituationPublication.`,
    );
  return { events: [...events.values()], skipped };
}

function readRecord(id: string, record: Element, situation: Element): RoadEvent {
  const status = textOf(situation, 'headerInformation', 'informationStatus');
  if (status !== undefined && status !== 'real')
    throw new UnusableEvent(`it is not real but ${plainText(status).slice(0, 32)}`);
  const location = childOf(record, 'locationReference');
  if (location === undefined) throw new UnusableEvent('it has no location');
  return {
    id,
    effect: readEffect(record),
    periods: readPeriods(childOf(record, 'validity')),
    places: readPlaces(location),
    bothDirections: isForBothDirections(record, location),
    description: commentOf(record),
  };
}

function commentOf(record: Element): string {
  for (const comment of childrenOf(record, 'generalPublicComment')) {
    const value = textOf(comment, 'comment', 'values', 'value');
    if (value !== undefined) return plainText(value);
  }
  return '';
}

const wrongVersion = (version: string): string =>
  `It is DATEX II version ${plainText(version).slice(0, 16)}; version 3 can be read.`;
