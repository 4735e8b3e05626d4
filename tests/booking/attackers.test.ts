import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import { type Answer, AttackedDesk, charge, entry, honest, payoutOf } from './attacked-desk.js';

let desk: AttackedDesk;
beforeAll(async () => {
  desk = await AttackedDesk.open();
}, 240_000);
afterAll(() => desk?.close());

type Attack = (who: string) => Promise<Answer>;
/** What is tried, the answer, and whether the request may wait for a second person. */
type Script = readonly [what: string, status: number, attack: Attack];

const post =
  (path: string, body?: object): Attack =>
  (who) =>
    desk.call(who, 'POST', path, body);
const approve = { decision: 'approve', reason: 'fine' };
const decide =
  (about: keyof AttackedDesk['findings'], body: object): Attack =>
  (who) =>
    desk.call(who, 'POST', `/v1/finance/findings/${desk.findings[about].finding_no}/decisions`, {
      why: 'fine',
      ...body,
    });
const approveDecision: Attack = (who) =>
  desk.call(who, 'POST', `/v1/finance/decisions/${desk.waiting.decision}/approval`);
const reverseDecision: Attack = (who) =>
  desk.call(who, 'POST', `/v1/finance/decisions/${desk.waiting.decision}/reversal`, { why: 'x' });
const approvePayout: Attack = (who) =>
  desk.call(who, 'POST', `/v1/payouts/${desk.waiting.payout}/review`, approve);
const approveRefund: Attack = (who) =>
  desk.call(who, 'POST', `/v1/payments/${desk.large}/refunds/${desk.waiting.refund}/review`, approve);
const requestPayout = (amount: string, over?: object): Attack => post('/v1/payouts', payoutOf(amount, over));
const refund =
  (of: 'small' | 'large', over: object): Attack =>
  (who) =>
    desk.call(who, 'POST', `/v1/payments/${desk[of]}/refunds`, { refund_id: randomUUID(), ...over });
const takePayment: Attack = async (who) => {
  const { orders } = desk.room;
  const { status } = await orders.post(orders.body([{ seller_account: 'MALLORY' }]), { token: who });
  return { status, body: undefined };
};
const refundStay =
  (refundDue: string): Attack =>
  (who) =>
    desk.hotel(who, 'POST', `/v1/staff/reservations/${desk.booked.reservation.reservationId}/refund`, {
      reason: 'x',
      refundDue,
    });

/** What no employee can do without the scope for it. */
const foreign = {
  'credit a seller': decide('mallory', { entry: entry() }),
  'dismiss a finding': decide('mallory', {}),
  'approve the entry of another person': approveDecision,
  'reverse a decision': reverseDecision,
  'request a payout': requestPayout('1.00'),
  'approve the payout of another person': approvePayout,
  'approve the refund of another person': approveRefund,
  'retry a refund': post('/v1/payment-dead-letters/1/redrive'),
  refund: refund('small', { amount: '1.00' }),
  'raise the refund of a stay': refundStay('1.00'),
} as const;
const without = (...names: (keyof typeof foreign)[]): Script[] =>
  names.map((name) => [name, 403, foreign[name]]);
const finance = Object.keys(foreign).slice(0, 8) as (keyof typeof foreign)[];

const scripts: Readonly<Record<string, readonly Script[]>> = {
  // The front desk: refunds to the payer, within what is left and within the limits.
  desk: [
    ...without(...finance),
    ['refund more than was captured', 422, refund('small', { amount: '40.01' })],
    ['refund a negative amount', 400, refund('small', { amount: '-1.00' })],
    ['refund to another account', 400, refund('small', { amount: '1.00', account: 'MALLORY' })],
    ['refund in another currency', 400, refund('small', { amount: '1.00', currency: 'KWD' })],
    ['refund above the limit', 202, refund('large', { amount: '1000.01' })],
    [
      'use the id of a refund that waits',
      409,
      (who) => refund('large', { refund_id: desk.waiting.refund, amount: '1.00' })(who),
    ],
    ['refund a payment that does not exist', 404, post('/v1/payments/none/refunds', { refund_id: 'r' })],
    ['refund a stay that is not cancelled', 409, refundStay('1.00')],
    [
      'free the rooms of a paid stay',
      409,
      (who) =>
        desk.hotel(
          who,
          'POST',
          `/v1/staff/reservations/${desk.booked.reservation.reservationId}/payment-cancellation`,
          { reason: 'x' },
        ),
    ],
    ['take a payment', 403, takePayment],
  ],
  finance: [
    ...without('request a payout', 'raise the refund of a stay'),
    [
      'credit a seller with more than the finding',
      400,
      decide('mallory', { entry: entry({ amount: '1000.00' }) }),
    ],
    ['credit another seller', 400, decide('honest', { entry: entry() })],
    ['pay from our bank', 400, decide('mallory', { entry: entry({ credit: 'cash-bank:EUR' }) })],
    ['take commission', 400, decide('mallory', { entry: entry({ credit: 'commission:EUR' }) })],
    [
      'book in another currency',
      400,
      decide('mallory', {
        entry: entry({ debit: 'differences:KWD', credit: 'seller:MALLORY:KWD', currency: 'KWD' }),
      }),
    ],
    ['book a negative amount', 400, decide('mallory', { entry: entry({ amount: '-40.00' }) })],
    ['decide in the name of another', 400, decide('mallory', { entry: entry(), who: 'ann' })],
    [
      'decide on what is decided',
      409,
      decide('large', { entry: entry({ credit: `seller:${honest}:EUR`, amount: '3000.00' }) }),
    ],
    [
      'credit the seller of the finding alone',
      403,
      async (who) => {
        const { body } = await decide('mallory', { entry: entry() })(who);
        expect(body.outcome).toBe('awaiting_second');
        const path = `/v1/finance/decisions/${body.decision_no}/approval`;
        // Neither under the same token nor under another one of the same person.
        expect((await desk.call('finance+payouts+desk.eve', 'POST', path)).status).toBe(403);
        return desk.call(who, 'POST', path);
      },
    ],
    [
      'refund above the limit and approve it',
      403,
      async (who) => {
        const id = randomUUID();
        const asked = await refund('large', { refund_id: id, amount: '200.00' })(who);
        expect(asked.body.pending).toBe('review');
        return desk.call(who, 'POST', `/v1/payments/${desk.large}/refunds/${id}/review`, approve);
      },
    ],
    ['approve what does not exist', 404, post('/v1/finance/decisions/9223372036854775807/approval')],
    ['retry a refund that is final', 404, foreign['retry a refund']],
  ],
  payouts: [
    ...without(
      ...finance.filter((name) => name !== 'request a payout'),
      'refund',
      'raise the refund of a stay',
    ),
    ['pay out more than the balance', 422, requestPayout('1000.00')],
    ['pay out to someone without a balance', 422, requestPayout('1.00', { seller_info: { account: 'EVE' } })],
    ['pay out in another currency', 422, requestPayout('1.00', { currency: 'KWD' })],
    ['pay out a negative amount', 400, requestPayout('-1.00')],
    ['name an account of the ledger', 400, requestPayout('1.00', { seller_info: { account: 'X:EUR' } })],
    ['pretend that it is the monthly run', 400, requestPayout('1.00', { period: '2026-11' })],
    [
      'change a payout that waits',
      409,
      (who) => requestPayout('2.00', { payout_id: desk.waiting.payout })(who),
    ],
    [
      'approve their own',
      403,
      async (who) => {
        const payout = payoutOf('1.00');
        const asked = await desk.call(who, 'POST', '/v1/payouts', payout);
        expect(asked.body.payout_status).toBe('awaiting_second');
        const path = `/v1/payouts/${payout.payout_id}/review`;
        expect((await desk.call('finance.eve', 'POST', path, approve)).status).toBe(403);
        return desk.call(who, 'POST', path, approve);
      },
    ],
    [
      'pay out the balance ten times at once',
      422,
      async (who) => {
        const all = await Promise.all(Array.from({ length: 10 }, () => requestPayout('30.00')(who)));
        expect(all.map(({ status }) => status).toSorted()).toEqual([202, ...Array<number>(9).fill(422)]);
        return all.find(({ status }) => status === 422)!;
      },
    ],
  ],
  service: [
    ...without(...finance, 'raise the refund of a stay'),
    ['refund the payment of another', 404, foreign.refund],
  ],
  operator: without(...finance, 'refund', 'raise the refund of a stay'),
};

const outcome = async (script: Script, who: string): Promise<void> => {
  const [, status, attack] = script;
  const before = await desk.money();
  expect((await attack(who)).status).toBe(status);
  expect(await desk.money()).toEqual(before);
};

describe.each(Object.entries(scripts))('one dishonest person with the scope %s', (scope, all) => {
  test.each(all)('P-105: moves no cent to anybody but the payer: %s', (...script) =>
    outcome(script, `${scope}.eve`),
  );
});

describe('two dishonest people without the scope finance', () => {
  const together: readonly Script[] = [
    [
      'one requests a payout, the other approves it',
      403,
      async () => {
        const payout = payoutOf('1.00');
        expect((await desk.call('payouts.eve', 'POST', '/v1/payouts', payout)).status).toBe(202);
        for (const who of ['desk.bob', 'service.bob', 'operator.bob'])
          expect(
            (await desk.call(who, 'POST', `/v1/payouts/${payout.payout_id}/review`, approve)).status,
          ).toBe(403);
        return desk.call('payouts.bob', 'POST', `/v1/payouts/${payout.payout_id}/review`, approve);
      },
    ],
    [
      'one refunds above the limit, the other approves it',
      403,
      async () => {
        const id = randomUUID();
        const asked = await refund('large', { refund_id: id, amount: '100.00' })('desk.eve');
        expect(asked.body.pending).toBe('review');
        const path = `/v1/payments/${desk.large}/refunds/${id}/review`;
        expect((await desk.call('payouts.bob', 'POST', path, approve)).status).toBe(403);
        return desk.call('desk.bob', 'POST', path, approve);
      },
    ],
    [
      'both request what only finance decides',
      403,
      async () => {
        await Promise.all(['desk.eve', 'payouts.bob'].map((who) => foreign['credit a seller'](who)));
        return foreign['approve the entry of another person']('desk+payouts.bob');
      },
    ],
    [
      'one of them holds every other scope',
      403,
      () =>
        foreign['approve the payout of another person']('desk+payouts+service+operator+customer+driver.eve'),
    ],
  ];
  test.each(together)('P-105: move no cent to anybody but the payer: %s', (...script) => outcome(script, ''));
});

test('P-105: finance and payouts together still need a second person of finance', async () => {
  await outcome(
    [
      'credit a seller',
      409,
      async () => {
        // The entry of the script above waits for another person of finance.
        const first = await decide('mallory', { entry: entry() })('finance.eve');
        expect((await approveDecision('payouts.bob')).status).toBe(403);
        return first;
      },
    ],
    '',
  );
});

/** Everything about the paid stay in h00001, and how it looks to somebody of another hotel. */
const ofAnotherHotel = (): readonly (readonly [method: string, path: string, body?: object])[] => {
  const stay = `/v1/staff/reservations/${desk.booked.reservation.reservationId}`;
  const reason = { reason: 'x' };
  const hotel = { ...{ name: 'Mine', address: 'Here 1', lat: 1, lng: 1 }, timeZone: 'UTC', currency: 'EUR' };
  return [
    ['GET', stay],
    ['POST', `${stay}/cancellation`, reason],
    ['POST', `${stay}/payment-cancellation`, reason],
    ['POST', `${stay}/refund`, { ...reason, refundDue: '1.00' }],
    ['POST', `${stay}/rooms`, {}],
    ['POST', `${stay}/check-in`, {}],
    ['POST', `${stay}/check-out`, {}],
    ['POST', `${stay}/no-show`, {}],
    ['GET', `${stay}/guest`],
    ['PUT', `${stay}/guest`, { guest: { name: 'Eve', guests: 1 } }],
    ['POST', '/v1/staff/guest-erasures', { ...reason, reservationID: desk.booked.reservation.reservationId }],
    ['GET', '/v1/staff/hotels/h00001/rooms'],
    ['PUT', '/v1/staff/hotels/h00001/rooms/r0001/housekeeping', { status: 'dirty' }],
    ['POST', '/v1/staff/hotels/h00001/group-blocks/b/change', { ...reason, name: 'Mine' }],
    ['GET', '/v1/staff/hotels/h00001/calendar?from=2026-11-01&to=2026-11-02'],
    ['PUT', '/v1/staff/hotels/h00001/rates', { ...reason, rates: [] }],
    ['PUT', '/v1/hotels/h00001', hotel],
    ['DELETE', '/v1/hotels/h00001'],
  ];
};

describe.each([
  'desk+property~h00002.eve',
  'desk+operator+property~h00002+property~h00003.eve',
  // Names no hotel, so it opens none.
  'desk+operator+property~.eve',
  'staff+operator+property~h0000.eve',
])('an employee of another hotel, %s', (who) => {
  test('H-111: cannot see or change a stay, its rooms, its money or its hotel', async () => {
    const sql = desk.room.orders.sql;
    const facts = async () =>
      (
        await sql.query(
          `SELECT (SELECT count(*) FROM staff_action) AS actions, (SELECT count(*) FROM hotel) AS hotels,
             (SELECT to_jsonb(r) FROM reservation r WHERE reservation_id = $1) AS stay,
             (SELECT jsonb_agg(t ORDER BY date) FROM room_type_rate t WHERE hotel_id = 'h00001') AS rates,
             (SELECT to_jsonb(h) FROM hotel h WHERE hotel_id = 'h00001') AS hotel`,
          [desk.booked.reservation.reservationId],
        )
      ).rows;
    const before = [await facts(), await desk.money()];
    for (const [method, path, body] of ofAnotherHotel()) {
      const isOperators = path.startsWith('/v1/hotels') && !who.includes('operator');
      const { status } = await desk.hotel(who, method, path, body);
      expect([method, path, status]).toEqual([method, path, isOperators ? 403 : 404]);
    }
    expect((await desk.hotel(who, 'POST', '/v1/hotels', {})).status).toBeGreaterThanOrEqual(400);
    expect([await facts(), await desk.money()]).toEqual(before);
  });

  test('H-111: finds nothing of it in any list', async () => {
    const { reservation } = desk.booked;
    const lists = [
      '/v1/staff/reservations?hotelID=h00001',
      `/v1/staff/reservations?userID=${reservation.userId}`,
      `/v1/staff/reservations?userID=${reservation.userId}&hotelID=h00001&status=paid`,
      `/v1/staff/actions?subject=${reservation.reservationId}`,
      '/v1/staff/actions',
      '/v1/staff/hotels?limit=100',
    ];
    await desk.hotel('desk.ann', 'POST', `/v1/staff/reservations/${reservation.reservationId}/check-out`, {});
    for (const path of lists) {
      const { status, body } = await desk.hotel(who, 'GET', path);
      expect([path, status]).toEqual([path, 200]);
      expect(JSON.stringify(body)).not.toContain('h00001');
      expect(JSON.stringify(body)).not.toContain(reservation.reservationId);
    }
  });

  test('P-105: has no access to payments, which do not say their hotel', async () => {
    const before = await desk.money();
    const refusals = await Promise.all([
      desk.call(who, 'GET', `/v1/payments/${desk.large}`),
      desk.call(who, 'POST', `/v1/payments/${desk.large}/refunds`, { refund_id: randomUUID() }),
      desk.call(who, 'POST', `/v1/payments/${desk.large}/review`, approve),
      desk.call(who, 'GET', '/v1/payment-reviews'),
      desk.call(who, 'GET', '/v1/refund-reviews'),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await desk.money()).toEqual(before);
  });
});

test('H-111: an employee of the hotel itself sees and changes it, and nothing else', async () => {
  const who = 'desk+property~h00001.ann';
  const { reservationId } = desk.booked.reservation;
  const found = await desk.hotel(who, 'GET', '/v1/staff/reservations?hotelID=h00001');
  expect(JSON.stringify(found.body)).toContain(reservationId);
  expect((await desk.hotel(who, 'GET', `/v1/staff/reservations/${reservationId}`)).status).toBe(200);
  const assigned = await desk.hotel(who, 'POST', `/v1/staff/reservations/${reservationId}/rooms`, {});
  expect(assigned.status).toBe(200);
  const { body } = await desk.hotel(who, 'GET', '/v1/staff/hotels');
  expect(body.hotels.map(({ hotelID }: { hotelID: string }) => hotelID)).toEqual(['h00001']);
  const actions = await desk.hotel(who, 'GET', '/v1/staff/actions');
  expect(actions.body.actions[0]).toMatchObject({ action: 'assign-rooms', subject: reservationId });
});

/** What the provider sent back to the card of this order, in cents. */
const sentBack = async (order: string) => {
  let sum = 0;
  for (const line of await desk.room.orders.record())
    if (line.kind === 'refund' && line.refund.paymentNonce === order && line.refund.status === 'refunded')
      sum += Number(line.refund.amountMinor);
  return sum;
};

test('P-105: one person refunds at most REFUNDS_ALONE_IN_A_DAY, to the cards that paid', async () => {
  const orders: string[] = [];
  for (let order = 0; order < 8; order += 1) orders.push(await charge(desk.room, honest, '900.00'));
  const mallory = (await desk.money()).balances['seller:MALLORY:EUR'];
  // At once, so that no request sees the others.
  const answers = await Promise.all(
    orders.map((order) =>
      desk.call('desk.fay', 'POST', `/v1/payments/${order}/refunds`, { refund_id: randomUUID() }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(8).fill(202));
  const waiting = answers.filter(({ body }) => body.pending === 'review');
  expect(waiting).toHaveLength(3);
  await eventually(async () => {
    const sums = await Promise.all(orders.map(sentBack));
    expect(sums.toSorted()).toEqual([0, 0, 0, 90_000, 90_000, 90_000, 90_000, 90_000]);
  });
  // Up to the limit, another currency and another person have their own.
  const last = await charge(desk.room, honest, '600.00');
  const ask = async (who: string, amount: string) =>
    (await desk.call(who, 'POST', `/v1/payments/${last}/refunds`, { refund_id: randomUUID(), amount })).body
      .pending;
  expect([await ask('finance.fay', '500.00'), await ask('desk.fay', '0.01')]).toEqual([null, 'review']);
  expect(await ask('desk.gus', '1.00')).toBe(null);
  expect((await desk.money()).balances['seller:MALLORY:EUR']).toBe(mallory);
});

test('P-105: what waits is not sent by itself; with the scopes the same calls move money', async () => {
  const orders = desk.room.orders;
  orders.service.wake();
  await delay(500);
  expect((await desk.money()).left.filter(({ kind }) => kind === 'payout')).toEqual([]);
  expect(await sentBack(desk.large)).toBe(0);
  const before = (await desk.money()).balances[`seller:${honest}:EUR`]!;
  expect((await approveDecision('finance.bob')).status).toBe(200);
  expect((await desk.money()).balances[`seller:${honest}:EUR`]).toBe(before - 300_000n);
  expect((await approvePayout('finance.bob')).status).toBe(200);
  expect((await approveRefund('finance.bob')).status).toBe(200);
  await eventually(async () => {
    const payouts = (await desk.money()).left.filter(({ kind }) => kind === 'payout');
    expect(payouts).toMatchObject([{ payout: { account: 'MALLORY', amountMinor: '100' } }]);
    expect(await sentBack(desk.large)).toBe(150_000);
  });
});
