import type { FeedHead } from '../events/published-event.js';
import { element, text, writeXml, type Xml } from './write-xml.js';

const namespaces = {
  'xmlns:d2': 'http://datex2.eu/schema/3/d2Payload',
  'xmlns:com': 'http://datex2.eu/schema/3/common',
  'xmlns:loc': 'http://datex2.eu/schema/3/locationReferencing',
  'xmlns:sit': 'http://datex2.eu/schema/3/situation',
  'xmlns:roa': 'http://datex2.eu/schema/3/roadTrafficData',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
};

/** DATEX II 3.1: one payload; `type` has the prefix of its namespace. */
export const writePublication = (
  type: string,
  { publisher, writtenMs }: FeedHead,
  content: readonly Xml[],
): string =>
  writeXml(
    element('d2:payload', { ...namespaces, 'xsi:type': type, lang: 'en', modelBaseVersion: '3' }, [
      text('com:publicationTime', time(writtenMs)),
      // Whoever runs the platform is not a body of one country; `zz` is no country's code.
      element('com:publicationCreator', {}, [
        text('com:country', 'zz'),
        text('com:nationalIdentifier', publisher),
      ]),
      ...content,
    ]),
  );

export const headerInformation = (name: string): Xml =>
  element(name, {}, [text('com:confidentiality', 'noRestriction'), text('com:informationStatus', 'real')]);

export const time = (ms: number): string => new Date(ms).toISOString();
