import { writeFileSync } from 'node:fs';
import { arrivalPriorFile } from '#map-data/learned/arrival-prior.js';
import { encodeArrivalModel } from '#routing-engine/arrival-times/arrival-model.js';
import { openExtract } from './routing/open-area.js';
import { type PriorPlace, priorPlace } from './streams/prior-worlds.js';
import { trainPrior } from './streams/train-prior.js';
import { usualLevel } from './streams/usual-level.js';

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
const usual = usualLevel(networks, firstSeed + places);
const known: PriorPlace[] = [];
for (let place = 0; place < places; place++) {
  const each = priorPlace(networks[place % networks.length]!, firstSeed + place);
  if (each.trips.length >= tripsMin) known.push(each);
  if (place % 10 === 9) console.error(`${place + 1} of ${places} places`);
}
const file = process.env['OUT'] ?? arrivalPriorFile();
const { model, placesOverTrips } = await trainPrior(known, usual);
const bytes = encodeArrivalModel(model);
writeFileSync(file, bytes);
const count = known.reduce((sum, { trips }) => sum + trips.length, 0);
console.log(`${file}: ${bytes.length} bytes, from ${count} trips of ${known.length} places`);
console.log(`variance between places over that of trips: ${placesOverTrips.toFixed(2)}`);
