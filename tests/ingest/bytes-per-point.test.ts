import { describe, expect, it } from 'vitest';
import { encodeRecordBatch } from '#platform/event-log/kafka-record-batch.js';
import { encodeRecord } from '#platform/event-log/record-bytes.js';
import { locationBatchBody } from '#platform/wire/location-batch-body.js';
import type { LocationPoints } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';

const now = Date.UTC(2026, 10, 21, 12);
const user = 'driver-123456' as UserId;
const naiveRow = JSON.stringify({
  user_id: user,
  lat: 57.7089123,
  lng: 11.9746456,
  timestamp: now,
  received_ms: now,
});

/** One fix a second at about 50 km/h, with the scatter of a phone. */
function drive(count: number): LocationPoints {
  const points = {
    latE7: new Int32Array(count),
    lngE7: new Int32Array(count),
    timeMs: new Float64Array(count),
  };
  let [lat, lng] = [577_089_123, 119_746_456];
  for (let i = 0; i < count; i++) {
    lat += 900 + ((i * 7_919) % 500) - 250;
    lng += 1_600 + ((i * 104_729) % 900) - 450;
    points.latE7[i] = lat;
    points.lngE7[i] = lng;
    points.timeMs[i] = now - (count - i) * 1_000;
  }
  return { count, ...points };
}

describe('bytes of a point in the log', () => {
  it.each([
    [10, 0.16],
    [20, 0.11],
    [60, 0.08],
  ])(
    'in batches of %i points a point takes at most %f of a naive JSON row, with ids and headers',
    (count, share) => {
      const batchId = '0e7b3c9a-1f0d-4c52-9a51-2f3f8f6f6d11';
      const value = locationBatchBody.encode(
        { userId: user, batchId, receivedMs: now, points: drive(count) },
        Buffer.alloc(6),
      );
      const record = { key: user, value, timestampMs: now };
      const embedded = encodeRecord(record, 1, now).length / count;
      const kafka =
        encodeRecordBatch(
          Array.from({ length: 50 }, () => record),
          { id: 1n, epoch: 0 },
          0,
          now,
        ).length /
        50 /
        count;
      expect(embedded / naiveRow.length).toBeLessThanOrEqual(share);
      expect(kafka / naiveRow.length).toBeLessThanOrEqual(share);
    },
  );
});
