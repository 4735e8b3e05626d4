import type { Type } from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { createLocationParser } from '#ingest/parse-locations.js';
import type { ParsedLocations } from '#ingest/parsed-locations.js';
import { encodeUpload, type Fix } from '#location-client/encode-upload.js';
import { createLocationBatchBody } from '#platform/wire/location-batch-body.js';
import { parseProto, protoText } from '#platform/wire/proto-files.js';
import { locationFieldColumns } from '#schemas/cql/locations.js';
import type { LocationPoints } from '#schemas/location.js';
import { type LocationField, locationFields, requiredLocationFields } from '#schemas/location-fields.js';
import type { UserId } from '#schemas/units.js';

const now = Date.UTC(2026, 10, 21, 12);

describe('the fields of a location', () => {
  it.each(['LocationBatch', 'LocationUpload'])(
    'the fields equal those of %s in location.proto, with the same numbers',
    (name) => {
      const type: Type = parseProto(protoText('location.proto')).lookupType(`meridian.location.v1.${name}`);
      const columns = type.fieldsArray.filter(({ repeated }) => repeated);
      expect(columns.map(({ id }) => id)).toEqual(
        [...requiredLocationFields, ...locationFields].map(({ number }) => number),
      );
      for (const { name: field, number } of locationFields) {
        expect(type.fieldsById[number]!.name).toMatch(new RegExp(`^${field}[A-Z][a-z]+PlusOne$`));
        expect(type.fieldsById[number]!.type).toBe('uint32');
      }
    },
  );

  it('each field has a column in Cassandra, in the same order and wide enough', () => {
    const most = { tinyint: 2 ** 7 - 1, smallint: 2 ** 15 - 1, int: 2 ** 31 - 1 };
    expect(locationFieldColumns).toHaveLength(locationFields.length);
    for (const [i, field] of locationFields.entries()) {
      const { name, type } = locationFieldColumns[i]!;
      expect(name.split('_')[0]).toBe(field.name);
      expect(field.most * field.scale).toBeLessThanOrEqual(most[type]);
    }
  });

  it('each field is read from the column with its name', () => {
    for (const { column, of } of locationFields) {
      const values = new Float32Array(1);
      expect(of({ [column]: values })).toBe(values);
    }
  });

  it('a new field is added in one place: client, both readers, record and its reader accept it', () => {
    const battery: LocationField = {
      name: 'battery',
      column: 'batteryPercent',
      of: ({ batteryPercent }) => batteryPercent,
      // The tag of number 16 takes two bytes, unlike that of any current field.
      number: 16,
      scale: 2,
      most: 100,
      description: 'Charge left.',
    };
    const fields = [...locationFields, battery];
    const parse = createLocationParser(fields);
    const body = createLocationBatchBody(fields);
    const fixes = [
      { lat: 57.7, lng: 11.9, timestamp: now - 2_000, speed: 12.5, battery: 81.5 },
      { lat: 57.8, lng: 11.8, timestamp: now - 1_000, battery: 100 },
      { lat: 57.9, lng: 11.7, timestamp: now },
    ];
    const expected = [81.5, 100, Number.NaN];

    const throughRecord = (parsed: ParsedLocations): LocationPoints => {
      expect(parsed).toMatchObject({ outcome: 'ok', rejected: [], duplicate: 0 });
      if (parsed.outcome !== 'ok') throw new Error('unreachable');
      const batch = { userId: 'u' as UserId, batchId: 'b', receivedMs: now, points: parsed.points };
      return body.decode(body.encode(batch, new Uint8Array(0)), true).points;
    };
    const batteryOf = (points: LocationPoints) =>
      (points as unknown as { readonly batteryPercent?: Float32Array }).batteryPercent;

    const json = (locs: unknown) =>
      parse(Buffer.from(JSON.stringify({ locs })), 'application/json', undefined, now);
    const bodies = {
      tuples: json(
        fixes.map(({ lat, lng, timestamp, speed, battery }) =>
          // A gap in a tuple is `null`, which only the slower reader accepts.
          battery === undefined
            ? [lat, lng, timestamp]
            : [lat, lng, timestamp, null, speed ?? null, null, null, battery],
        ),
      ),
      objects: json(fixes),
      query: parse(new Uint8Array(0), '', JSON.stringify(fixes), now),
      protobuf: parse(
        encodeUpload(fixes as readonly Fix[], 'b-1', fields),
        'application/x-protobuf',
        undefined,
        now,
      ),
    };
    for (const [form, parsed] of Object.entries(bodies)) {
      const points = throughRecord(parsed);
      expect([...batteryOf(points)!], form).toEqual(expected);
      expect([...points.speedMps!], form).toEqual([12.5, Number.NaN, Number.NaN]);
      expect(points.accuracyM, form).toBeUndefined();
    }

    for (const parsed of [
      json([{ lat: 1, lng: 2, timestamp: now, battery: 101 }]),
      parse(
        encodeUpload([{ lat: 1, lng: 2, timestamp: now, battery: 101 } as Fix], undefined, fields),
        'application/x-protobuf',
        undefined,
        now,
      ),
    ]) {
      expect(parsed).toMatchObject({
        rejected: [{ index: 0, reason: 'battery must be between 0 and 100.' }],
      });
    }
  });
});
