import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { HotelUnderFault } from './hotel-under-fault.js';

let hotel: HotelUnderFault;
beforeAll(async () => {
  hotel = await HotelUnderFault.open({ rooms: 400 });
});
afterAll(() => hotel?.close());

proves('F21', {
  asked: 'deadlocks, no free connection, slow statements: bounded retries, then 503; no open transaction',
  shown: 'another session locks the rooms for good: 503 and Retry-After within 50 s, no open transaction',
  settings: ['no rate limits'],
  control: {
    in: 'platform/sql/limits.ts',
    change: '  statementTimeoutMs: 30_000,',
    to: '  statementTimeoutMs: 3_000_000,',
  },
  from: 'outside',
});
it('F21: behind a lock that nobody releases reservations end as 503, and continue afterwards', async () => {
  const [sql, watching] = [await hotel.sql(), await hotel.sql()];
  let release: () => void = () => undefined;
  const locked = new Promise<void>((resolve) => {
    const held = new Promise<void>((end) => {
      release = end;
    });
    void sql.transaction(async (tx) => {
      // Else the server ends this session as soon as it ends the statements that wait.
      await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await tx.query('LOCK TABLE room_type_inventory IN ACCESS EXCLUSIVE MODE');
      resolve();
      await held;
    });
  });
  await locked;
  const asked = Array.from({ length: 40 }, async () => {
    const token = await hotel.token(randomUUID());
    const id = randomUUID();
    return { id, token, answer: await hotel.call('POST', '/v1/reservations', token, hotel.form(id)) };
  });
  const answered = await Promise.all(asked);
  expect(answered.map(({ answer: { status } }) => status)).toEqual(answered.map(() => 503));
  expect(answered.filter(({ answer }) => !(Number(answer.retryAfterS) > 0))).toEqual([]);
  release();
  for (const { id, token } of answered)
    await eventually(
      async () =>
        expect([200, 201]).toContain(
          (await hotel.call('POST', '/v1/reservations', token, hotel.form(id))).status,
        ),
      { everyMs: 250 },
    );
  const { rows } = await watching.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'",
  );
  expect(rows).toEqual([{ n: 0 }]);
  await Promise.all([sql.close(), watching.close()]);
  await hotel.countsAreRight();
});
