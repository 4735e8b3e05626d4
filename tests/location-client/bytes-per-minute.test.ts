import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocationClient } from '#location-client/location-client.js';
import { proves } from '#tools/acceptance/proves.js';
import { type IngestRoom, startIngestRoom } from '../ingest/ingest-fixture.js';

/**
 * What a driving device sends and receives within eight minutes, counted on the wire, including HTTP, without
 * TLS.
 */
describe('data use of the location client', () => {
  let room: IngestRoom;
  beforeAll(async () => {
    room = await startIngestRoom({ isNavigating: true });
  });
  afterAll(() => room.close());

  proves('M-122', {
    asked: 'bytes per navigated minute of a client measured and stated',
    shown: 'positions of 8 minutes: under 5 KB up and 3 KB down a minute; the rest in browser/map-tiles',
    settings: ['no TLS', 'a token of 400 characters is added to each request'],
    control: {
      in: 'location-client/location-client.ts',
      change:
        "'content-type': 'application/x-protobuf',\n        },\n        body: encodeUpload(batch.fixes, batch.id),",
      to: "'content-type': 'application/json',\n        },\n        body: JSON.stringify({ batch_id: batch.id, locs: batch.fixes }) satisfies string | ReturnType<typeof encodeUpload>,",
    },
  });
  it('M-122: a navigated minute of one fix a second takes at most 5 KB up and 3 KB down', async () => {
    const counted = { up: 0, down: 0 };
    const sockets = new Set<Socket>();
    const proxy = createServer((near) => {
      const far = connect(Number(new URL(room.url).port), '127.0.0.1');
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
      near.on('data', (piece) => {
        counted.up += piece.length;
        far.write(piece);
      });
      far.on('data', (piece) => {
        counted.down += piece.length;
        near.write(piece);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { readonly port: number };

    const minutes = 8;
    const startMs = Date.now() - minutes * 60_000;
    let clockMs = startMs;
    const timers: Array<{ readonly atMs: number; readonly action: () => void }> = [];
    // In this test server a token is the user name; one of the platform's own issuer has this many letters.
    const [token, tokenCharacters] = ['navigator', 400];
    let requests = 0;
    const client = createLocationClient({
      url: `http://127.0.0.1:${port}`,
      token: () => token,
      nowMs: () => clockMs,
      onSampling: () => requests++,
      setTimer: (action, ms) => timers.push({ atMs: clockMs + ms, action }),
    });
    let sent = 0;
    for (let second = 0; second < minutes * 60; second++) {
      clockMs = startMs + second * 1_000;
      // 50 km/h along a street that bends, with the noise of a phone.
      client.add({
        lat: Number((57.7 + second * 1.2e-4 + Math.sin(second * 12.9898) * 2e-5).toFixed(7)),
        lng: Number((11.97 + Math.sin(second / 40) * 2e-3 + Math.sin(second * 78.233) * 2e-5).toFixed(7)),
        timestamp: clockMs,
        accuracy: 5 + (second % 7),
        speed: 13.9 + Math.sin(second / 9),
        heading: (second * 3) % 360,
      });
      sent++;
      for (const due of timers.splice(0)) {
        if (due.atMs > clockMs) timers.push(due);
        else {
          due.action();
          await expect.poll(() => client.waiting, { interval: 2 }).toBe(0);
        }
      }
    }
    await client.flush();
    expect(client.waiting).toBe(0);
    proxy.close();
    for (const socket of sockets) socket.destroy();

    counted.up += requests * (tokenCharacters - token.length);
    const perMinute = { up: counted.up / minutes, down: counted.down / minutes };
    console.info(
      `${sent} fixes: ${Math.round(perMinute.up)} bytes up and ` +
        `${Math.round(perMinute.down)} down in a minute`,
    );
    expect(perMinute.up).toBeLessThan(5_000);
    expect(perMinute.down).toBeLessThan(3_000);
    const topic = room.codecs.locationBatchRecorded.topic.name;
    let logged = 0;
    for (const { partition } of await room.log.offsets(topic))
      for await (const { value } of room.log.read(topic, partition, 0))
        logged += room.codecs.locationBatchRecorded.decode(value!).points.count;
    expect(logged).toBe(sent);
  });
});
