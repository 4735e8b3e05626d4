import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
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
const reads = 100;

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
  /** Statements that PostgreSQL logged while many guests looked at ten nights at the same time. */
  async function statementsOfReads(sources: readonly string[]): Promise<number> {
    const logged = async () => {
      const log = await readFile(join(hotel.data, 'sql', 'home', 'server.log'), 'utf8');
      return log.match(/ LOG: {2}(?:execute|statement)/g)?.length ?? 0;
    };
    const { startDate, endDate } = hotel.form('', 10, 10) as Record<string, string>;
    const path = '/v1/hotels/h00001/room-types/t01/availability';
    const token = await hotel.token(randomUUID());
    const before = await logged();
    const ask = () => inTime(hotel.call('GET', `${path}?startDate=${startDate}&endDate=${endDate}`, token));
    const answers = await Promise.all(
      Array.from({ length: reads }, () =>
        // What a busy server refuses before it reads anything is asked again.
        eventually(async () => {
          const answer = await ask();
          expect(answer.status).toBe(200);
          return answer;
        }),
      ),
    );
    const statements = (await logged()) - before;
    expect(answers.filter(({ json }) => json.nights?.length !== 10)).toEqual([]);
    expect(sources).toEqual(expect.arrayContaining(answers.map(({ json }) => json.source)));
    return statements;
  }
  const isFull = (night: number) => eventually(async () => expect(await free(night)).toBe(0));

  proves('F17', {
    asked: 'away, wiped, 2 s slow: correct answers, slower; at most twice the statements at the source',
    shown: 'away, silent, wiped, back: availability is right, and exactly 110 % of the rooms are sold',
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

  proves('F17', {
    asked: 'away, wiped, 2 s slow: at most twice the statements at the source',
    shown: '100 guests at once look at ten nights: wiped, away and silent, at most twice the statements',
    settings: ['no rate limits', 'log_statement all'],
    control: {
      in: 'hotel/availability-cache/availability.ts',
      change: '  const { rows } = await deps.sql.query(',
      to: '  for (const _ of dates) await deps.sql.check();\n  const { rows } = await deps.sql.query(',
    },
    from: 'outside',
  });
  it('F17: without the cache PostgreSQL has at most twice the statements', async () => {
    const sql = await hotel.sql();
    await sql.query("ALTER SYSTEM SET log_statement = 'all'");
    await sql.query('SELECT pg_reload_conf()');
    await sql.close();
    await wire.mend();
    await eventually(() => statementsOfReads(['cache']));
    const cached = await statementsOfReads(['cache']);
    await redis.flushdb();
    // It is filled again while they look.
    const wiped = await statementsOfReads(['cache', 'database']);
    await wire.cut();
    const away = await statementsOfReads(['database']);
    await wire.mend();
    await eventually(() => statementsOfReads(['cache']));
    wire.freeze();
    const silent = await statementsOfReads(['database']);
    await wire.mend();
    console.log(`statements of ${reads} reads: ${JSON.stringify({ cached, wiped, away, silent })}`);
    expect(cached).toBeGreaterThanOrEqual(reads);
    for (const without of [wiped, away, silent]) expect(without).toBeLessThanOrEqual(2 * cached);
    // A count of nothing would be at most twice of anything.
    expect(away).toBeGreaterThanOrEqual(cached + reads);
  });
});
