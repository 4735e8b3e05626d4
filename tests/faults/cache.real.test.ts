import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { required } from '../contracts/required-variable.js';
import { WireCut } from '../contracts/wire-cut.js';
import { eventually } from '../eventually.js';
import { HotelUnderFault } from './hotel-under-fault.js';

const rooms = 40;
/** A call of Redis waits for a second at most; a booking makes few, and waits for the batch before it. */
const answerMsMax = 8_000;

describe('the cache of a hotel is away, silent or empty', () => {
  let wire: WireCut;
  let redis: Redis;
  let hotel: HotelUnderFault;
  beforeAll(async () => {
    const server = new URL(required('CACHE', 'redis'));
    // A database of its own, because it is wiped.
    redis = new Redis({ host: server.hostname, port: Number(server.port), db: 9 });
    await redis.flushdb();
    wire = new WireCut({ host: server.hostname, port: Number(server.port) });
    await wire.mend();
    const data = await mkdtemp(join(tmpdir(), 'meridian-cache-fault-'));
    const env = {
      CACHE: `redis://127.0.0.1:${wire.port}/9`,
      EVENT_LOG: `embedded:${join(data, 'log')}`,
      OBJECTS: `dir:${join(data, 'objects')}`,
      SQL: `embedded:${join(data, 'sql')}`,
    };
    hotel = await HotelUnderFault.open({ rooms, data, env });
  });
  afterAll(async () => {
    await hotel?.close();
    await redis?.quit();
    await wire?.cut();
  });

  async function inTime<Answer>(call: Promise<Answer>): Promise<Answer> {
    const from = performance.now();
    const answer = await call;
    expect(performance.now() - from).toBeLessThan(answerMsMax);
    return answer;
  }
  async function free(night: number): Promise<number | string> {
    const { startDate, endDate } = hotel.form('', night) as Record<string, string>;
    const path = '/v1/hotels/h00001/room-types/t01/availability';
    const token = await hotel.token(randomUUID());
    const { status, json } = await inTime(
      hotel.call('GET', `${path}?startDate=${startDate}&endDate=${endDate}`, token),
    );
    return status === 200 ? (json.nights[0].rooms as number) : `status ${status}`;
  }
  /** More guests than rooms book a night at once; before and after, what is free is said as it is. */
  async function sellsAll(night: number): Promise<void> {
    expect(await free(night)).toBe(hotel.roomsMax);
    const book = async (): Promise<number> => {
      const form = hotel.form(randomUUID(), night);
      const token = await hotel.token(randomUUID());
      return (await inTime(hotel.call('POST', '/v1/reservations', token, form))).status;
    };
    const statuses = await Promise.all(Array.from({ length: 2 * rooms }, book));
    const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
    expect([count(201), count(409)]).toEqual([hotel.roomsMax, 2 * rooms - hotel.roomsMax]);
    expect((await fetch(`${hotel.program.url}/readyz`)).status).toBe(200);
  }
  const isFull = (night: number) => eventually(async () => expect(await free(night)).toBe(0));

  proves('F17', {
    asked: 'away, wiped, 2 s slow: correct answers, slower; at most twice the statements at the source',
    shown: 'away, silent, wiped, back: availability is right, and exactly 110 % of the rooms are sold',
    missing: 'the number of statements at PostgreSQL',
    settings: ['no rate limits'],
    control: {
      in: 'hotel/availability-cache/availability-cache.ts',
      change: '      if (error instanceof CacheUnavailable) return undefined;\n',
      to: '      if (error instanceof CacheUnavailable && days.length === 0) return undefined;\n',
    },
    from: 'outside',
  });
  it('F17: without the cache, with a silent and with an empty one, rooms are sold as with it', async () => {
    await sellsAll(3);
    await isFull(3);
    await redis.flushdb();
    expect(await free(3)).toBe(0);
    await sellsAll(4);
    await wire.cut();
    await sellsAll(5);
    await isFull(5);
    await wire.mend();
    wire.freeze();
    await sellsAll(6);
    await isFull(6);
    await wire.mend();
    await sellsAll(7);
    for (const night of [3, 4, 5, 6, 7]) await isFull(night);
    await hotel.countsAreRight();
  });
});
