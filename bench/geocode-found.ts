import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import { appendResult } from './append-result.js';
import { isThePlace, mistypedAddresses } from './geocode/mistype.js';
import { geocodeAreas, openIndex } from './geocode/open-index.js';
import { forms, writtenAddresses } from './geocode/written-out.js';
import { chosenAreas } from './routing/areas.js';
import { seeded } from './routing/seeded.js';
import { percentile } from './routing/statistics.js';

/**
 * How many of 1,000 addresses per extract with one typing error, and of 1,000 complete ones, are the first
 * result?
 */
const count = Number(process.env['COUNT'] ?? 1_000);
const seed = Number(process.env['SEED'] ?? 1);
const areas = chosenAreas<string>(process.env['AREAS'], geocodeAreas);

const shares: Record<string, object> = {};
for (const area of areas) {
  const { index, network, bytes, buildCpuS } = await openIndex(area);
  const wanted = mistypedAddresses(index, count, seeded(seed));
  const tookMs: number[] = [];
  const missed: string[] = [];
  for (const { query, row } of wanted) {
    const startedMs = performance.now();
    const [first] = searchPlaces(index, query, { limit: 1 });
    tookMs.push(performance.now() - startedMs);
    if (!isThePlace(index, first?.row, row)) missed.push(query);
  }
  const first = (count - missed.length) / count;
  const houses = index.rowCount - index.placeCount;
  const geocoder = indexGeocoder(index, network);
  const tally = new Map(forms.map((form) => [form, { asked: 0, first: 0, none: 0 }]));
  for (const { form, query, printed } of writtenAddresses(index, geocoder, count, seeded(seed))) {
    const sum = tally.get(form)!;
    const found = geocoder.search(query, { language: 'en', limit: 1 })[0]?.result;
    sum.asked += 1;
    if (found === undefined) sum.none += 1;
    else if (found.formatted_address === printed) sum.first += 1;
  }
  const written = Object.fromEntries(
    [...tally].map(([form, { asked, first: right, none }]) => [form, { first: right / asked, none }]),
  );
  shares[area] = {
    first,
    written,
    places: index.placeCount,
    houses,
    bytes,
    buildCpuS,
    p99Ms: percentile(tookMs, 0.99),
  };
  console.log(
    `${area}: ${(100 * first).toFixed(1)} % first of ${count} (${index.placeCount} places, ` +
      `${houses} houses, ${(bytes / 1e6).toFixed(1)} MB, built in ${buildCpuS.toFixed(1)} s CPU)`,
  );
  for (const query of missed.slice(0, 5)) console.log(`  not first: ${query}`);
  for (const [form, { first: right, none }] of Object.entries(written))
    console.log(`  ${form}: ${(100 * right).toFixed(1)} % first, ${none} not found`);
}
appendResult('geocode-found', { count, seed, areas: shares });
