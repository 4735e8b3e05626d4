import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseOldEvidence } from '#payment/disputes/erase-evidence.js';
import { noteMissedDeadlines } from '#payment/disputes/missed-deadlines.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { disputeDefaults } from '#payment/settings/delivery-settings.js';
import type { DisputeBody } from '#schemas/http/disputes.js';
import { eventually } from '../eventually.js';
import { fetchOrProblem } from '../http-problems.js';
import { assignAccount, getAsMerchant } from './merchant-fixture.js';
import { OrdersRoom } from './orders-fixture.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const [mine, theirs] = ['DE-MINE', 'DE-THEIRS'];
let room: OrdersRoom;
let offsetMs = 0;
const nowMs = () => Date.now() + offsetMs;
/** Here and at the provider. */
const sleep = async (ms: number): Promise<void> => {
  offsetMs += ms;
  await room.control('POST', '/clock', { advance_ms: ms });
};

beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct', nowMs });
  for (const [merchant_id, seller_account] of [
    ['ann', mine],
    ['bob', theirs],
  ])
    expect((await assignAccount(room, { merchant_id, seller_account, reason: 'contract' })).status).toBe(201);
});
afterAll(() => room?.close());

const pdf = Buffer.from('%PDF-1.7 a receipt');
const ann = 'merchant.ann';
const finance = 'finance.fay';

async function ask(
  method: string,
  path: string,
  { token = ann, body, type = 'application/json' }: { token?: string; body?: object; type?: string } = {},
): Promise<{ status: number; body: DisputeBody & { disputes: DisputeBody[]; next: string | null } }> {
  const base = token.startsWith('finance') ? room.internalUrl : room.url;
  const response = await fetchOrProblem(`${base}/v1/disputes${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: body instanceof Buffer ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as never };
}
const put = (id: string, purpose: string, body: Buffer, type = 'application/pdf') =>
  ask('PUT', `/${id}/documents/${purpose}`, { body, type });
const send = (id: string, body: object, token = ann) => ask('POST', `/${id}/evidence`, { body, token });

/** A captured payment whose buyer's bank takes the money back. */
async function dispute(seller: string, dueInMs: number): Promise<{ id: string; orderId: string }> {
  const { payment_order_id: orderId } = await room.pay({ seller_account: seller }, 'tok_captured');
  await room.settled(orderId);
  const opening = { nonce: orderId, due_ms: nowMs() + dueInMs };
  const { id } = await room.control<{ id: string }>('POST', '/disputes', opening);
  await eventually(async () => expect((await ask('GET', `/${id}`, { token: finance })).status).toBe(200));
  return { id, orderId };
}

const eventsOf = async (orderId: string): Promise<number[]> => {
  const { rows } = await room.sql.query<{ kind: string }>(
    `SELECT payload->>'kind' AS kind FROM payment_outbox WHERE key = $1
     AND topic = 'payment.order.lifecycle.v1' ORDER BY (payload->>'sequence')::bigint`,
    [orderId],
  );
  return rows.map(({ kind }) => Number(kind));
};
const sentEvidence = async (id: string) =>
  (await room.record()).filter(
    (line) => line.kind === 'dispute' && line.dispute.id === id && line.cause === 'evidence',
  );
const until = (id: string, wanted: (body: DisputeBody) => void) =>
  eventually(async () => wanted((await ask('GET', `/${id}`, { token: finance })).body));
const available = async () =>
  (await getAsMerchant(room, '/balance')).body.balances[0] as { available: string; disputed: string };

describe('the queue', () => {
  it('has the nearest deadline first, for each merchant and for finance, in pages', async () => {
    const late = await dispute(mine, 3 * dayMs);
    const soon = await dispute(mine, dayMs);
    const other = await dispute(theirs, 2 * dayMs);
    const ids = async (query = '', token = ann) =>
      (await ask('GET', query, { token })).body.disputes.map(({ dispute_id }) => dispute_id);
    expect(await ids()).toEqual([soon.id, late.id]);
    expect(await ids('', finance)).toEqual([soon.id, other.id, late.id]);
    expect(await ids(`?seller_account=${theirs}`, finance)).toEqual([other.id]);
    expect((await ask('GET', `?seller_account=${theirs}`)).status).toBe(404);
    const { body: page } = await ask('GET', '?limit=1');
    expect(page.disputes[0]).toMatchObject({
      dispute_id: soon.id,
      payment_order_id: soon.orderId,
      amount: '10.50',
      reason: 'fraudulent',
      is_missed: false,
      answer: null,
    });
    const second = (await ask('GET', `?limit=1&after=${page.next}`)).body;
    expect(second.disputes.map(({ dispute_id }) => dispute_id)).toEqual([late.id]);
    expect((await ask('GET', `?limit=1&after=${second.next}`)).body).toEqual({ disputes: [], next: null });
    expect((await ask('GET', '?after=bm9uc2Vuc2U')).status).toBe(400);
    // A dispute of another merchant does not exist, whatever is done with it.
    expect((await ask('GET', `/${other.id}`)).status).toBe(404);
    expect((await put(other.id, 'receipt', pdf)).status).toBe(404);
    expect((await send(other.id, { explanation: 'x' })).status).toBe(404);
    const acceptance = { body: { reason: 'x' } };
    expect((await ask('POST', `/${other.id}/acceptance`, acceptance)).status).toBe(404);
    for (const { id } of [late, soon, other])
      await room.control('POST', '/disputes/close', { id, status: 'won' });
    await eventually(async () => expect(await ids('', finance)).toEqual([]));
    expect(await ids('?status=WON', finance)).toHaveLength(3);
  });
});

describe('evidence', () => {
  it('is stored once, sent once although answers are lost, and the end moves the money', async () => {
    const { id, orderId } = await dispute(mine, dayMs);
    expect((await put(id, 'receipt', Buffer.from('not a file'))).status).toBe(400);
    expect((await put(id, 'receipt', Buffer.alloc(1_000_001, '%PDF-'))).status).toBe(413);
    expect((await put(id, 'portrait', pdf)).status).toBe(404);
    expect((await put(id, 'receipt', Buffer.from('%PDF-1.7 a draft'))).status).toBe(201);
    expect((await put(id, 'receipt', pdf)).status).toBe(201);
    expect((await put(id, 'receipt', pdf)).status).toBe(200);
    expect(await room.count('SELECT count(*) AS n FROM dispute_document WHERE dispute_id = $1', [id])).toBe(
      1,
    );
    expect((await send(id, { explanation: ' ' })).status).toBe(400);
    expect((await send(id, { colour: 'blue' })).status).toBe(400);
    await room.faults({
      next: [
        { operation: 'documents', fault: 'drop-after' },
        { operation: 'evidence', fault: 'drop-after' },
        { operation: 'evidence', fault: 'error-after' },
      ],
    });
    const evidence = { explanation: 'The guest stayed three nights.', service_date: '1 to 4 November' };
    const { status, body } = await send(id, evidence);
    expect([status, body.answer?.kind, body.answer?.answered_by]).toEqual([202, 'evidence', 'ann']);
    await until(id, ({ answer }) => expect(answer).toMatchObject({ answer_status: 'sent', failure: null }));
    const [sent, ...more] = await sentEvidence(id);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ dispute: { evidence: { texts: evidence } } });
    const files = (await room.record()).filter(({ kind }) => kind === 'file');
    expect(files).toHaveLength(1);
    // The same request has no further effect, and nothing else can be added.
    expect((await send(id, evidence)).status).toBe(200);
    expect((await send(id, { explanation: 'another' })).status).toBe(409);
    expect((await send(id, { explanation: 'another' }, finance)).status).toBe(409);
    expect((await put(id, 'other', pdf)).status).toBe(409);
    const acceptance = { body: { reason: 'changed our mind' } };
    expect((await ask('POST', `/${id}/acceptance`, acceptance)).status).toBe(409);
    await room.control('POST', '/disputes/close', { id, status: 'won' });
    await until(id, ({ dispute_status }) => expect(dispute_status).toBe('WON'));
    await eventually(async () => expect(await room.ledgerTransfers(orderId, `dispute:${id}:won`)).toBe(1));
    expect(await eventsOf(orderId)).toEqual([1, 2, 4, 12, 9, 15, 10]);
    await eventually(async () => expect(await proveMoney(room.sql)).toMatchObject({ unproven: 0n }));
  });

  it('needs a text or a document, and a document alone is enough', async () => {
    const { id } = await dispute(mine, dayMs);
    expect((await send(id, {})).status).toBe(422);
    const png = Buffer.from('89504e470d0a1a0a00', 'hex');
    expect((await put(id, 'communication', png, 'image/png')).status).toBe(201);
    expect((await send(id, {})).status).toBe(202);
    await until(id, ({ answer }) => expect(answer?.answer_status).toBe('sent'));
    await room.control('POST', '/disputes/close', { id, status: 'won' });
  });

  it('that the provider refuses may be followed by other evidence', async () => {
    const { id, orderId } = await dispute(mine, dayMs);
    // At the provider the deadline has passed; the webhook that reports it comes later.
    await room.control('POST', '/webhooks', { url: `${room.url}/nowhere` });
    await room.control('POST', '/disputes/deadline', { id, due_ms: nowMs() - 1 });
    expect((await send(id, { explanation: 'first' })).status).toBe(202);
    await until(id, ({ answer }) =>
      expect(answer).toMatchObject({ answer_status: 'refused', failure: 'deadline_passed' }),
    );
    await room.control('POST', '/webhooks', { url: `${room.url}/v1/psp/webhooks` });
    const later = nowMs() + dayMs;
    await room.control('POST', '/disputes/deadline', { id, due_ms: later });
    // The report of the first deadline may arrive now, too, and is over when the later one is known.
    await until(id, ({ evidence_due_at: due }) => expect(Date.parse(due ?? '')).toBe(later));
    expect((await send(id, { explanation: 'first' })).status).toBe(202);
    await until(id, ({ answer }) => expect(answer?.answer_status).toBe('sent'));
    expect(await sentEvidence(id)).toHaveLength(1);
    expect((await eventsOf(orderId)).slice(-2)).toEqual([16, 15]);
  });

  it('given by several people at the same moment counts once', async () => {
    const { id } = await dispute(mine, dayMs);
    const given = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        at === 0
          ? ask('POST', `/${id}/acceptance`, { body: { reason: 'ours' }, token: finance })
          : send(id, { explanation: `number ${at}` }, at % 2 === 0 ? finance : ann),
      ),
    );
    expect(given.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409, 409]);
  });
});

it('a dispute that is given up is closed as lost, and the seller pays', async () => {
  await eventually(async () => expect((await available()).disputed).not.toBe(''));
  const { id, orderId } = await dispute(mine, dayMs);
  expect((await ask('POST', `/${id}/acceptance`, { body: { reason: '' } })).status).toBe(400);
  const accept = () => ask('POST', `/${id}/acceptance`, { body: { reason: 'our mistake' } });
  expect((await accept()).status).toBe(202);
  await until(id, ({ dispute_status }) => expect(dispute_status).toBe('LOST'));
  expect((await accept()).status).toBe(200);
  await eventually(async () => expect(await room.ledgerTransfers(orderId, `dispute:${id}:lost`)).toBe(1));
  const entries = await getAsMerchant(room, `/entries?currency=EUR&subject=${orderId}`);
  expect(entries.body.entries.map(({ kind, amount }: Record<string, string>) => [kind, amount])).toEqual([
    ['dispute_lost', '-10.50'],
    ['capture', '10.50'],
  ]);
});

it('a missed deadline is shown and told once; a later deadline opens the dispute again', async () => {
  const { id, orderId } = await dispute(mine, hourMs);
  await sleep(2 * hourMs);
  expect((await ask('GET', `/${id}`)).body.is_missed).toBe(true);
  expect((await put(id, 'receipt', pdf)).status).toBe(409);
  expect((await send(id, { explanation: 'late' })).status).toBe(409);
  const deps = { sql: room.sql, nowMs, logger: { warn: () => {} } as never };
  await Promise.all([noteMissedDeadlines(deps), noteMissedDeadlines(deps)]);
  await noteMissedDeadlines(deps);
  expect((await eventsOf(orderId)).filter((kind) => kind === 17)).toHaveLength(1);
  await room.control('POST', '/disputes/deadline', { id, due_ms: nowMs() + dayMs });
  await until(id, ({ is_missed }) => expect(is_missed).toBe(false));
  expect((await send(id, { explanation: 'in time' })).status).toBe(202);
  await until(id, ({ answer }) => expect(answer?.answer_status).toBe('sent'));
  await sleep(2 * dayMs);
  await noteMissedDeadlines(deps);
  expect((await eventsOf(orderId)).filter((kind) => kind === 17)).toHaveLength(1);
});

it('the deadline that the provider named last counts, in whatever order its messages arrive', async () => {
  const { id, orderId } = await dispute(mine, dayMs);
  const named = (dueMs: number, createdMs: number) =>
    room.webhook(
      'dispute.opened',
      {
        dispute_id: id,
        payment_nonce: orderId,
        amount_minor: '1050',
        currency: 'EUR',
        evidence_due_at: new Date(dueMs).toISOString(),
      },
      { at: new Date(createdMs) },
    );
  const dueMs = async () =>
    Date.parse((await ask('GET', `/${id}`, { token: finance })).body.evidence_due_at ?? '');
  const [now, longer] = [nowMs(), nowMs() + 9 * dayMs];
  await named(longer, now + 2_000);
  expect(await dueMs()).toBe(longer);
  await named(now - 1, now + 1_000);
  expect(await dueMs()).toBe(longer);
  // The same deadline, named again: what was said in between and arrives now is older.
  await named(longer, now + 4_000);
  await named(now - 1, now + 3_000);
  expect(await dueMs()).toBe(longer);
  expect((await send(id, { explanation: 'in time' })).status).toBe(202);
  await named(now + dayMs, now + 5_000);
  expect(await dueMs()).toBe(now + dayMs);
});

it('texts and documents are erased 90 days after the end, and what was done stays', async () => {
  const { id } = await dispute(mine, dayMs);
  await put(id, 'receipt', pdf);
  await send(id, { explanation: 'Ada was here.' });
  await until(id, ({ answer }) => expect(answer?.answer_status).toBe('sent'));
  await room.control('POST', '/disputes/close', { id, status: 'lost' });
  await until(id, ({ dispute_status }) => expect(dispute_status).toBe('LOST'));
  const kept = () =>
    room.count(
      `SELECT (SELECT count(*) FROM dispute_document WHERE bytes IS NOT NULL AND dispute_id = $1)
         + (SELECT count(*) FROM dispute_answer WHERE texts IS NOT NULL AND dispute_id = $1) AS n`,
      [id],
    );
  const { keptAfterEndMs } = disputeDefaults;
  await eraseOldEvidence(room.sql, nowMs() + 89 * dayMs, keptAfterEndMs);
  expect(await kept()).toBe(2);
  await eraseOldEvidence(room.sql, nowMs() + 91 * dayMs, keptAfterEndMs);
  expect(await kept()).toBe(0);
  expect((await ask('GET', `/${id}`)).body).toMatchObject({
    answer: { kind: 'evidence', answer_status: 'sent', answered_by: 'ann' },
    documents: [{ purpose: 'receipt', bytes: pdf.length }],
  });
});
