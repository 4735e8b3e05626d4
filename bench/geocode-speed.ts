import { placesAt } from '#geocoding/query/reverse-places.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import { appendResult, spread } from './append-result.js';
import { mistype } from './geocode/mistype.js';
import { startNominatim } from './geocode/nominatim.js';
import { openIndex } from './geocode/open-index.js';
import { seeded } from './routing/seeded.js';
import { percentile } from './routing/statistics.js';

/**
 * Prefix search: how long does each keystroke take? Reverse geocoding: how many places per CPU-second, beside
 * Nominatim in process on the same extract where it is installed? Rounds of both are interleaved.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const perRound = Number(process.env['COUNT'] ?? 2_000);
const nominatimPerRound = 60;
const area = process.env['AREAS'] ?? 'malta';

const { index, network } = await openIndex(area);
const random = seeded(2);
const named = Array.from({ length: index.placeCount }, (_, row) => row).filter(
  (row) => index.name(row, '') !== '',
);
const pick = (): number => named[Math.floor(random() * named.length)]!;

/** Runs a task and returns its time. */
function timed(task: () => void): { readonly cpuS: number; readonly wallMs: number } {
  const before = process.cpuUsage();
  const startedMs = performance.now();
  task();
  const { user, system } = process.cpuUsage(before);
  return { cpuS: (user + system) / 1e6, wallMs: performance.now() - startedMs };
}

const keystrokes = Array.from({ length: perRound }, () => {
  const name = index.name(pick(), '');
  const typed = name.slice(0, 1 + Math.floor(random() * name.length));
  return random() < 0.2 ? mistype(typed, random) : typed;
});
const places = Array.from({ length: perRound }, () => {
  const row = Math.floor(random() * index.rowCount);
  const { lngE7, latE7 } = index.data;
  return {
    lng: lngE7[row]! / 1e7 + (random() - 0.5) * 0.002,
    lat: latE7[row]! / 1e7 + (random() - 0.5) * 0.002,
  };
});

const nominatim = await startNominatim();
const prefixMs: number[] = [];
const prefixPerCpuS: number[] = [];
const reversePerCpuS: number[] = [];
const peerPerCpuS: number[] = [];
for (const typed of keystrokes.slice(0, 500)) searchPlaces(index, typed, { prefix: true });
for (let round = 0; round < rounds; round++) {
  const search = timed(() => {
    for (const typed of keystrokes) {
      const startedMs = performance.now();
      searchPlaces(index, typed, { prefix: true, limit: 5 });
      prefixMs.push(performance.now() - startedMs);
    }
  });
  prefixPerCpuS.push(keystrokes.length / search.cpuS);
  const reverse = timed(() => {
    for (const place of places) placesAt(index, network, place);
  });
  reversePerCpuS.push(places.length / reverse.cpuS);
  if (nominatim !== undefined) peerPerCpuS.push(await nominatim.reverse(places.slice(0, nominatimPerRound)));
}
await nominatim?.close();

// Void unless the answers are right: the result at a place must be that place.
const wrong = places.filter((_, at) => {
  const row = named[at % named.length]!;
  const here = { lng: index.data.lngE7[row]! / 1e7, lat: index.data.latE7[row]! / 1e7 };
  return index.kind(row) === 'poi' && !placesAt(index, network, here).some((each) => each.metres < 1);
});
if (wrong.length > 0) throw new Error(`void: ${wrong.length} places are not found where they are`);

const p50 = percentile(prefixMs, 0.5);
const p99 = percentile(prefixMs, 0.99);
const figures = {
  area,
  rounds,
  perRound,
  prefix: { p50Ms: p50, p99Ms: p99, perCpuSecond: spread(prefixPerCpuS) },
  reverse: { perCpuSecond: spread(reversePerCpuS) },
  nominatim:
    peerPerCpuS.length === 0
      ? 'not installed'
      : {
          perCpuSecond: spread(peerPerCpuS),
          oursOver: spread(reversePerCpuS.map((rate, round) => rate / peerPerCpuS[round]!)),
        },
};
appendResult('geocode-speed', figures);
console.log(JSON.stringify(figures, undefined, 2));
