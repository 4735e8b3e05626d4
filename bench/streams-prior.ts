import { writeFileSync } from 'node:fs';
import { arrivalPriorFile } from '#map-data/learned/arrival-prior.js';
import { encodeArrivalModel, type FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';
import { openExtract } from './routing/open-area.js';
import { priorTrips } from './streams/prior-worlds.js';
import { trainPrior } from './streams/train-prior.js';

/**
 * Trains the prior of arrival times on simulated traffic of these maps and writes it into the sources. The
 * same maps, seed and number of places make the same bytes. Malta, Gothenburg, Heidelberg and others are
 * left for measurements.
 */
const maps = [
  'baltimore',
  'columbus',
  'helsinki',
  'oslo-east',
  'portland',
  'andorra',
  'liechtenstein',
] as const;
const places = Number(process.env['PLACES'] ?? 210);
const firstSeed = Number(process.env['SEED'] ?? 100);
const tripsMin = 10;

const networks = [];
for (const map of maps) networks.push(await openExtract(map));
const trips: (readonly FinishedTrip[])[] = [];
for (let place = 0; place < places; place++) {
  const driven = priorTrips(networks[place % networks.length]!, firstSeed + place);
  if (driven.length >= tripsMin) trips.push(driven);
  if (place % 10 === 9) console.error(`${place + 1} of ${places} places`);
}
const file = process.env['OUT'] ?? arrivalPriorFile();
const bytes = encodeArrivalModel(await trainPrior(trips));
writeFileSync(file, bytes);
const count = trips.reduce((sum, each) => sum + each.length, 0);
console.log(`${file}: ${bytes.length} bytes, from ${count} trips of ${trips.length} places`);
