import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openSql } from '#platform/sql/open-sql.js';
import { type Sql, sqlState } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { startProgram } from '../main-job/running-platform.js';
import { issuerOf, unlimited } from '../programs/drivers-of.js';
import { HotelUnderFault } from './hotel-under-fault.js';

const attackers = 4;
const deadlocksMin = 20;
/** Twelve attempts, each until PostgreSQL sees the deadlock, on processors that other tests use. */
const answerMsMax = 45_000;

interface Answer {
  readonly status: number;
  readonly retryAfterS: string | null;
}

/**
 * Locks what the program locks, in the other order. PostgreSQL ends the session that has waited for
 * `deadlock_timeout` first, and so it is always the program's.
 */
async function attack(sql: Sql, locks: readonly [string, string], isOver: () => boolean): Promise<void> {
  const session = async (): Promise<void> => {
    while (!isOver()) {
      const once = sql.transaction(
        async (tx) => {
          await tx.query("SET LOCAL deadlock_timeout = '20s'");
          await tx.query(locks[0]);
          await sleep(50);
          await tx.query(locks[1]);
        },
        { attempts: 1 },
      );
      await once.catch((error: unknown) => expect(sqlState(error)).toBe('40P01'));
    }
  };
  await Promise.all(Array.from({ length: attackers }, session));
}

const deadlocksOf = async (sql: Sql): Promise<number> => {
  const { rows } = await sql.query<{ deadlocks: bigint }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]!.deadlocks);
};

interface Storm<Asked> {
  readonly sql: Sql;
  /** The statements of an attacker. */
  readonly locks: readonly [string, string];
  /** Asks something new, or what was asked before. */
  ask(again?: Asked): Promise<{ readonly asked: Asked; readonly answer: Answer }>;
  /** Another reason to go on, after so many deadlocks. */
  goesOn?(refused: number): boolean;
}

/**
 * Eight clients ask one thing after the other until PostgreSQL has ended enough deadlocks. Every answer is
 * 201 or 503; afterwards what was refused is accepted, and no transaction is open. Returns how many answers
 * were 503, and how many deadlocks there were.
 */
async function storm<Asked>({ sql, locks, ask, goesOn }: Storm<Asked>) {
  const before = await deadlocksOf(sql);
  const answers: Answer[] = [];
  const unanswered: Asked[] = [];
  let [isOver, slowestMs] = [false, 0];
  const attacking = attack(sql, locks, () => isOver);
  const client = async (): Promise<void> => {
    while (!isOver) {
      const from = performance.now();
      const { asked, answer } = await ask();
      slowestMs = Math.max(slowestMs, performance.now() - from);
      answers.push(answer);
      if (answer.status !== 201) unanswered.push(asked);
    }
  };
  const clients = Array.from({ length: 8 }, client);
  const refused = () => answers.filter(({ status }) => status === 503);
  const isEnough = async () =>
    (await deadlocksOf(sql)) - before >= deadlocksMin && goesOn?.(refused().length) !== true;
  const endMs = performance.now() + 120_000;
  while (!(await isEnough()) && performance.now() < endMs) await sleep(200);
  isOver = true;
  await Promise.all([attacking, ...clients]);
  const counted = [...new Set(answers.map(({ status }) => status))].map(
    (status) => `${answers.filter((one) => one.status === status).length} × ${status}`,
  );
  const ended = (await deadlocksOf(sql)) - before;
  console.log(`${ended} deadlocks: ${counted.join(', ')}, at most ${Math.round(slowestMs)} ms`);
  expect(ended).toBeGreaterThanOrEqual(deadlocksMin);
  expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
  expect(refused().filter(({ retryAfterS }) => !(Number(retryAfterS) > 0))).toEqual([]);
  expect(slowestMs).toBeLessThan(answerMsMax);
  for (const asked of unanswered) expect((await ask(asked)).answer.status).toBe(201);
  const { rows } = await sql.query(
    "SELECT query FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'",
  );
  expect(rows).toEqual([]);
  return { ended, refused: refused().length };
}

proves('F21', {
  asked: 'deadlocks: bounded retries with jitter, then 503; no open transaction',
  shown: 'reservations lose 20 deadlocks to four sessions: tried again, few are 503, no open transaction',
  settings: ['no rate limits'],
  control: {
    in: 'hotel/reservations/reserve-batch.ts',
    change: "if (sqlState(error) !== '40001' && sqlState(error) !== '40P01') throw error;",
    to: "if (sqlState(error) !== '40001') throw error;",
  },
  from: 'outside',
});
it('F21: in a storm of deadlocks reservations are made once or end as 503, and nothing is open', async () => {
  const hotel = await HotelUnderFault.open({ rooms: 2_000 });
  onTestFinished(() => hotel.close());
  const sql = await openSql(`embedded:${join(hotel.data, 'sql')}`, { connectionsMax: attackers + 2 });
  onTestFinished(() => sql.close());
  const [late, early] = [12, 10].map((from) => {
    const { startDate } = hotel.form('', from) as Record<string, string>;
    return `SELECT FROM room_type_inventory WHERE date = '${startDate}' FOR UPDATE`;
  });
  const { ended, refused } = await storm({
    sql,
    locks: [late!, early!],
    async ask(again?: { id: string; token: string }) {
      const asked = again ?? { id: randomUUID(), token: await hotel.token(randomUUID()) };
      const form = hotel.form(asked.id, 10, 3);
      return { asked, answer: await hotel.call('POST', '/v1/reservations', asked.token, form) };
    },
  });
  // Without another attempt each deadlock would be a 503.
  expect(refused).toBeLessThan(ended / 4);
  await hotel.countsAreRight();
});

async function pay(url: string, token: string, asked: { id: string; key: string; checkout: string }) {
  const order = { seller_account: 'DE89370400440532013000', amount: '12.00', currency: 'EUR' };
  const answer = await fetch(`${url}/v1/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': asked.key,
    },
    body: JSON.stringify({
      ...{ checkout_id: asked.checkout, buyer_info: {}, credit_card_info: {} },
      payment_orders: [{ ...order, payment_order_id: asked.id }],
    }),
  });
  await answer.arrayBuffer();
  return answer;
}

proves('F21', {
  asked: 'deadlocks: bounded retries with jitter, then 503; no open transaction',
  shown: 'payments lose 20 deadlocks to four sessions: 201 or 503 with Retry-After, each is stored once',
  settings: ['no rate limits'],
  control: {
    in: 'payment/http/catch-unavailable.ts',
    change: 'if (!isTemporary(error)) throw error;',
    to: "if (!isTemporary(error) || 'code' in (error as Error)) throw error;",
  },
  from: 'outside',
});
it('F21: in a storm of deadlocks payments are accepted once or end as 503', async () => {
  const data = await mkdtemp(join(tmpdir(), 'meridian-deadlocks-'));
  const program = await startProgram('payment', { data, env: unlimited });
  onTestFinished(async () => {
    await program.stop();
    await rm(data, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });
  const sql = await openSql(`embedded:${join(data, 'sql')}`, { connectionsMax: attackers + 2 });
  onTestFinished(() => sql.close());
  const issuer = await issuerOf(data);
  const token = await issuer.issueToken({ sub: 'ada', scopes: ['customer'], ttlS: 3_600 });
  const ids = new Set<string>();
  const locks = ['payment_orders', 'payment_requests'].map(
    (table) => `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,
  );
  const { refused } = await storm({
    sql,
    locks: [locks[0]!, locks[1]!],
    goesOn: (soFar) => soFar === 0,
    async ask(again?: { id: string; key: string; checkout: string }) {
      const asked = again ?? { id: randomUUID(), key: randomUUID(), checkout: randomUUID() };
      ids.add(asked.id);
      const { status, headers } = await pay(program.url, token, asked);
      // What was stored without its answer is a repeated request the second time.
      const isAccepted = status === 200 || status === 201;
      return {
        asked,
        answer: { status: isAccepted ? 201 : status, retryAfterS: headers.get('retry-after') },
      };
    },
  });
  expect(refused).toBeGreaterThan(0);
  const { rows } = await sql.query<{ id: string }>('SELECT payment_order_id AS id FROM payment_orders');
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...ids].toSorted());
});
