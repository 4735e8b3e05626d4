import type { FeedHead, PublishedSpeed } from '../events/published-event.js';
import { location } from './write-location.js';
import { headerInformation, time, writePublication } from './write-publication.js';
import { element, text, type Xml } from './write-xml.js';

/** `ElaboratedDataPublication`: the speed of each edge now, and that of the empty road. At least one. */
export const writeSpeeds = (speeds: readonly PublishedSpeed[], measuredMs: number, head: FeedHead): string =>
  writePublication('roa:ElaboratedDataPublication', head, [
    text('roa:timeDefault', time(measuredMs)),
    headerInformation('roa:headerInformation'),
    ...speeds.map(physicalQuantity),
  ]);

/** The order of the elements is that of the schema. */
const physicalQuantity = ({ line, speedKph, freeFlowKph }: PublishedSpeed): Xml =>
  element('roa:physicalQuantity', { 'xsi:type': 'roa:SinglePhysicalQuantity' }, [
    location('roa:pertinentLocation', line),
    element('roa:basicData', { 'xsi:type': 'roa:TrafficSpeed' }, [
      speed('roa:averageVehicleSpeed', speedKph),
      speed('roa:normallyExpectedSpeed', freeFlowKph),
    ]),
  ]);

const speed = (name: string, kph: number): Xml =>
  element(name, {}, [text('com:speed', Math.round(10 * kph) / 10)]);
