import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createJsonReader } from '#ingest/json-locations.js';
import { parseLocations } from '#ingest/parse-locations.js';
import type { ParsedLocations } from '#ingest/parsed-locations.js';
import { encodeUpload, type Fix } from '#location-client/encode-upload.js';
import { inflateBody } from '#platform/http/server/body-reader.js';
import { locationFields } from '#schemas/location-fields.js';
import { proves } from '#tools/acceptance/proves.js';

/** FUZZ_RUNS=10000000 takes some minutes; FUZZ_SEED repeats a run that failed. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 30_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31) + 1);

const now = Date.UTC(2026, 10, 21, 12);
const fixes: readonly Fix[] = [
  { lat: 57.7089123, lng: 11.9746456, timestamp: now },
  {
    lat: -33.85,
    lng: 151.2152,
    timestamp: now - 5,
    accuracy: 5.5,
    speed: 1.25,
    heading: 359.9,
    mode: 'walking',
  },
];
const valid = {
  json: [
    `{"locs":[[57.7089123,11.9746456,${now}],[-33.85,151.2152,${now - 5},5.5,1.25,359.9,"driving"]],` +
      '"batch_id":"abc"}',
    `{ "batch_id" : "x-1", "locs" : [ {"lat":1.5,"lng":-2,"timestamp":${now},"mode":"bicycling"} , ` +
      `[1e1,0.1,${now}] ]}`,
    `{"locs":"[[1,2,${now}]]"}`,
  ].map((text) => Buffer.from(text)),
  protobuf: [Buffer.from(encodeUpload(fixes, 'abc')), Buffer.from(encodeUpload(fixes))],
};
const json = createJsonReader(locationFields);
const telling = Buffer.from('0123456789-+.eE,:"[]{} \\lnatgtimesp\n\t');

/** Marsaglia's xorshift: the same seed gives the same bodies. */
function randomOf(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/**
 * One to four edits: a byte replaced, removed or inserted, bits flipped, a piece repeated, the end truncated.
 */
function mutated(body: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(body);
  for (let edits = 1 + random(4); edits > 0 && bytes.length > 0; edits--) {
    const at = random(bytes.length);
    const kind = random(6);
    if (kind === 0) bytes[at] = telling[random(telling.length)]!;
    else if (kind === 1) bytes[at] = random(256);
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(3))]);
    else if (kind === 3)
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.of(telling[random(telling.length)]!),
        bytes.subarray(at),
      ]);
    else if (kind === 4) bytes = Buffer.concat([bytes.subarray(0, at + random(20)), bytes.subarray(at)]);
    else bytes = bytes.subarray(0, random(40) === 0 ? at : bytes.length);
  }
  return bytes;
}

const columns = ['latE7', 'lngE7', 'timeMs', 'accuracyM', 'speedMps', 'headingDeg', 'modeIndex'] as const;

/** Every observable part of an outcome, as text, so that NaN equals NaN. */
function seen(parsed: ParsedLocations): string {
  if (parsed.outcome !== 'ok') return JSON.stringify(parsed);
  const { points, batchId, duplicate, rejected } = parsed;
  const values = columns.map((name) => points[name]?.subarray(0, points.count).join());
  return JSON.stringify([points.count, batchId, duplicate, rejected, values]);
}

describe('bodies damaged in transit', () => {
  const patience = Math.max(10_000, runs);

  proves('F37', {
    asked: '1,000,000 malformed bodies and queries: only 4xx, no crash',
    shown: '30,000 mutated bodies of locations against JSON.parse',
    scaled: '1 : 33',
    proof: 'fuzz-bodies',
  });
  it(`F37: accepts exactly the JSON that JSON.parse accepts, with the same result (seed ${seed})`, {
    timeout: patience,
  }, () => {
    const random = randomOf(seed);
    let taken = 0;
    for (let run = 0; run < runs; run++) {
      const body = mutated(valid.json[run % valid.json.length]!, random);
      const ours = seen(parseLocations(body, 'application/json', undefined, now));
      const oracle = seen(json.readBody(body, now));
      if (ours !== oracle) expect(ours, JSON.stringify(body.toString('latin1'))).toBe(oracle);
      if (ours.startsWith('[')) taken++;
    }
    // Otherwise the mutations are so coarse that they show nothing.
    expect(taken).toBeGreaterThan(runs / 100);
  });

  it(`F37: Protobuf never throws, and accepted batches are within bounds (seed ${seed})`, {
    timeout: patience,
  }, () => {
    const random = randomOf(seed);
    let taken = 0;
    for (let run = 0; run < runs; run++) {
      const body = mutated(valid.protobuf[run % valid.protobuf.length]!, random);
      const parsed = parseLocations(body, 'application/x-protobuf', undefined, now);
      if (parsed.outcome !== 'ok') continue;
      taken++;
      const { count, latE7, lngE7, timeMs } = parsed.points;
      const times = new Set(timeMs.subarray(0, count));
      let fault = times.size !== count;
      for (let i = 0; i < count; i++)
        fault ||= Math.abs(latE7[i]!) > 9e8 || Math.abs(lngE7[i]!) > 18e8 || !Number.isInteger(timeMs[i]);
      if (fault) expect(parsed, body.toString('hex')).toBe('a batch within its bounds');
    }
    expect(taken).toBeGreaterThan(runs / 100);
  });

  it(`F36, F37: gzip never throws nor inflates past the limit, whatever is damaged (seed ${seed})`, {
    timeout: patience,
  }, async () => {
    const random = randomOf(seed);
    const zipped = [...valid.json, ...valid.protobuf].map((body) => gzipSync(body));
    const bomb = gzipSync(Buffer.alloc(4 * limit, 0x20));
    const seenOutcomes = new Map<string, number>();
    for (let run = 0; run < runs; run++) {
      // Like between requests: zlib frees its memory in a later turn.
      if (run % 500 === 0) await new Promise(setImmediate);
      const whole = run % 50 === 0 ? bomb : zipped[run % zipped.length]!;
      const body = inflateBody(run % 3 === 0 ? mutated(whole, random) : withinBody(whole, random), limit);
      const outcome = body.ok ? readAs(run, body.bytes) : body.reason;
      if (body.ok && body.bytes.length > limit) expect(body.bytes.length).toBeLessThanOrEqual(limit);
      seenOutcomes.set(outcome, (seenOutcomes.get(outcome) ?? 0) + 1);
    }
    for (const outcome of ['ok', 'malformed', 'bad-gzip', 'too-large'])
      expect(seenOutcomes.get(outcome), outcome).toBeGreaterThan(runs / 1_000);
  });

  it('F37: damaged bodies leak no memory', { timeout: patience }, () => {
    const random = randomOf(seed);
    const round = () => {
      for (let run = 0; run < 20_000; run++) {
        parseLocations(
          mutated(valid.json[run % valid.json.length]!, random),
          'application/json',
          undefined,
          now,
        );
        const upload = mutated(valid.protobuf[run % valid.protobuf.length]!, random);
        parseLocations(upload, 'application/x-protobuf', undefined, now);
      }
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return (heapUsed + arrayBuffers) / 2 ** 20;
    };
    round();
    const first = round();
    const last = [round(), round(), round()].at(-1)!;
    expect(last - first).toBeLessThan(3);
  });
});

const limit = 64 * 1024;

/** Damaged inside: compressed after it was damaged, so that it inflates. */
function withinBody(zipped: Buffer, random: (below: number) => number): Buffer {
  return random(2) === 0
    ? zipped
    : gzipSync(mutated(gunzipSync(zipped, { maxOutputLength: 8 * limit }).subarray(0, 300), random));
}

function readAs(run: number, bytes: Uint8Array): string {
  const type = run % 2 === 0 ? 'application/json' : 'application/x-protobuf';
  return parseLocations(bytes, type, undefined, now).outcome;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
