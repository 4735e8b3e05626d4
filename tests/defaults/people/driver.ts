import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { createLocationClient } from '#location-client/location-client.js';
import type { LocationHistory } from '#schemas/http/locations.js';
import { eventually } from '../../eventually.js';
import { decodeLine, lengthM, placesAlong } from '../../main-job/drive.js';
import { destination, origin } from '../../main-job/turning-away.js';
import type { DefaultPlatform } from '../default-platform.js';
import { callerOf, openSocket, type Person } from '../person.js';

const drivenS = 15;

/**
 * Navigates with an open socket, and sends a fix each second with the client library; all that was
 * acknowledged is read back, in order.
 */
export async function driver(platform: DefaultPlatform): Promise<Person> {
  const user = 'daily-driver';
  const caller = await callerOf(platform, user, 'driver');
  const sent: number[] = [];
  return {
    name: 'driver',
    everyMs: 30_000,
    async round() {
      const socket = await openSocket(platform, caller.token);
      const client = createLocationClient({ url: platform.url, token: () => caller.token, flushMs: 2_000 });
      try {
        socket.send({ type: 'start', origin, destination });
        const { route, navigation_id } = await socket.next('started');
        const line = decodeLine(route.polyline);
        expect(lengthM(line)).toBeGreaterThan(1_500);
        const speed = lengthM(line) / route.duration_s;
        for (const { lat, lng } of placesAlong(line, 0, speed * drivenS, speed)) {
          const timestamp = Date.now();
          client.add({ lat, lng, timestamp, speed, accuracy: 5 });
          sent.push(timestamp);
          await delay(1_000);
        }
        await client.flush();
        await eventually(() => expect(client.waiting).toBe(0), { deadlineMs: 60_000 });
        socket.send({ type: 'end', navigation_id });
        await socket.next('ended');
      } finally {
        socket.close();
      }
    },
    async finish() {
      await eventually(
        async () => {
          const got: number[] = [];
          for (let cursor = ''; ; ) {
            const query = new URLSearchParams({
              from: String(sent[0]),
              to: String(Date.now()),
              limit: '1000',
            });
            if (cursor !== '') query.set('cursor', cursor);
            const page = await caller.ask<LocationHistory>('GET', `/v1/users/${user}/locations?${query}`);
            got.push(...page.locations.map(({ timestamp }) => timestamp));
            if (page.next_cursor === undefined || page.next_cursor === null) break;
            cursor = page.next_cursor;
          }
          expect(got).toEqual(sent);
        },
        { deadlineMs: 60_000, everyMs: 500 },
      );
    },
  };
}
