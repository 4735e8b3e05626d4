import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Folio } from '#hotel/folio/folio.js';
import { issueInvoice, readInvoices } from '#hotel/folio/invoices.js';
import { openPayLink } from '#hotel/folio/pay-link.js';
import { postExtra, voidExtra } from '#hotel/folio/post-extra.js';
import { readFolio } from '#hotel/folio/read-folio.js';
import { minorOf } from '#hotel/hotels/money-text.js';
import { reservationView } from '#hotel/http/reservation-view.js';
import { findReservation } from '#hotel/reservations/locked-reservation.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { setTaxes } from '#hotel/taxes/hotel-taxes.js';
import { formatMoney } from '#payment/money/money.js';
import type { SimulatedDispute } from '#payment-simulator/record.js';
import { type Random, seededRandom } from '#platform/random/random.js';
import { findPayments } from '#processors/booking/booking-payments.js';
import { readPaymentLines } from '#processors/booking/folio-payments.js';
import { hearMoneyFrom } from '#processors/booking/note-money.js';
import type { UserId } from '#schemas/units.js';
import { eventually } from '../eventually.js';
import { arrival, BookingRoom } from './booking-fixture.js';
import { type ExpectedStay, priceOf, randomRules, vatOf } from './expected-stay.js';
import { type Money, posted, provided } from './recorded-money.js';

/** More stays take longer: `STAYS=10000`, with a longer `--testTimeout`. */
const stays = Number(process.env['STAYS'] ?? 100);
const atOnce = 8;
const staff = { staff: true } as const;
const currencies = [
  ['EUR', 'MT', 'Europe/Malta'],
  ['SEK', 'SE', 'Europe/Stockholm'],
  ['USD', 'US', 'America/New_York'],
  ['JPY', 'JP', 'Asia/Tokyo'],
  ['KWD', 'KW', 'Asia/Kuwait'],
] as const;
const currencyOf = (number: number) => currencies[number % currencies.length]!;
const hotelOf = (number: number) => `h${String(number).padStart(5, '0')}`;

let room: BookingRoom;
/** The same reservations a moment before arrival, when a cancellation is no longer free. */
let late: PostgresReservations;
beforeAll(async () => {
  const sites = Array.from({ length: stays }, (_, n) => {
    const [currency, country, timeZone] = currencyOf(n + 1);
    return { name: `Hotel ${n + 1}`, address: 'Street 1', lat: 1, lng: 1, timeZone, currency, country };
  });
  room = await BookingRoom.open({ hotels: stays, sites });
  const { sql } = room.deps;
  // Odd amounts, so that every percentage is rounded, and no price that depends on the occupancy.
  await sql.query('DELETE FROM rate_step');
  await sql.query(
    `UPDATE room_type_rate SET price_minor = price_minor + abs(hashtext(hotel_id || date)) % 97`,
  );
  await sql.query(
    `UPDATE room_type t SET late_cancel_percent = (ARRAY[100, 50, 33])[1 + abs(hashtext(hotel_id)) % 3], capacity = 4`,
  );
  late = new PostgresReservations({
    sql,
    now: () => new Date(`${arrival}T00:00:00Z`),
    hearMoney: hearMoneyFrom(sql),
  });
}, 900_000);
afterAll(async () => {
  await late?.close();
  await room?.close();
});

type Step = (stay: ExpectedStay, random: Random) => Promise<unknown>;

const post = (who: string, path: string, body: object): Promise<Response> =>
  room.orders.post(body, { token: who, path, base: room.orders.internalUrl });
const inOneMoment = <Result>(work: Parameters<typeof room.deps.sql.transaction<Result>>[0]) =>
  room.deps.sql.transaction(work, { isolation: 'repeatable read', attempts: 12 });

const issue = (stay: ExpectedStay) =>
  inOneMoment((tx) =>
    issueInvoice(tx, new Date(), {
      reservationId: stay.reservationId,
      actor: staff,
      by: 'siv',
      readPayments: readPaymentLines,
    }),
  );

async function cancel(stay: ExpectedStay, random: Random, rooms?: number): Promise<void> {
  const isAsked = random.next() < 0.5;
  // A stay that was moved begins a day later, when cancelling is free until then.
  const isLate = isAsked && stay.startDate === arrival;
  const outcome = await (isAsked ? late : room.reservations).cancel(stay.reservationId, staff, { rooms });
  if (outcome.kind !== 'changed') return;
  const before = priceOf(stay);
  if (rooms === undefined) stay.isCancelled = true;
  else {
    stay.guests = Math.ceil((stay.guests * (stay.roomCount - rooms)) / stay.roomCount);
    stay.roomCount -= rooms;
  }
  const given = before - (rooms === undefined ? 0n : priceOf(stay));
  stay.keptMinor += isLate ? (given * BigInt(stay.lateCancelPercent)) / 100n : 0n;
}

/** The guest pays what they are asked for; false if the money goes back. */
async function payMore(stay: ExpectedStay, reservation: Reservation): Promise<boolean> {
  const payment = await room.registered(reservation);
  await room.typeCard(payment);
  const { paymentOrderId, amountMinor } = payment;
  const outcome = await eventually(async () => {
    const found = (await findPayments(room.deps.sql, [paymentOrderId])).get(paymentOrderId)!.outcome;
    if (found === null) throw new Error('not paid yet');
    return found;
  });
  if (outcome === 'paid') stay.payments.push({ paymentOrderId, amountMinor });
  else stay.returned.push(paymentOrderId);
  return outcome === 'paid';
}

const extrasOf = ({ extras }: ExpectedStay) =>
  [...extras.values()].reduce((total, amount) => total + amount, 0n);

/** What can happen to a stay. Each step may be refused; the expected stay follows what was done. */
const steps: Readonly<Record<string, Step>> = {
  async extra(stay, random) {
    const extra = {
      ...{ reservationId: stay.reservationId, entryId: randomUUID(), name: 'Breakfast', staffId: 'siv' },
      ...{
        reason: 'x',
        amountMinor: BigInt(1 + random.below(20_000)),
        vatBasisPoints: random.pick([0, 1_200]),
      },
    };
    const { kind } = await room.deps.sql.transaction((tx) => postExtra(tx, new Date(), extra));
    if (kind === 'posted') stay.extras.set(extra.entryId, extra.amountMinor);
  },
  async voided(stay, random) {
    if (stay.extras.size === 0) return;
    const entryId = random.pick([...stay.extras.keys()]);
    const voiding = { reservationId: stay.reservationId, entryId, staffId: 'siv', reason: 'x' };
    const { kind } = await room.deps.sql.transaction((tx) => voidExtra(tx, new Date(), voiding));
    if (kind !== 'posted') return;
    stay.extras.delete(entryId);
    const surplusMinor = stay.extrasPaidMinor - stay.extrasGrantedMinor - extrasOf(stay);
    if (surplusMinor > 0n) stay.extrasGrantedMinor += surplusMinor;
  },
  async link(stay) {
    const { reservationId } = stay;
    const outcome = await room.deps.sql.transaction((tx) => openPayLink(tx, new Date(), reservationId));
    if (outcome.kind !== 'opened') return;
    const { amountMinor } = outcome.reservation.supplement!;
    if (await payMore(stay, outcome.reservation)) stay.extrasPaidMinor += amountMinor;
  },
  oneRoom: (stay, random) => cancel(stay, random, 1),
  all: (stay, random) => (random.next() < 0.5 ? cancel(stay, random) : Promise.resolve()),
  async dates(stay, random) {
    const startDate = addDays(arrival, random.below(4));
    const endDate = addDays(startDate, random.below(stay.nightPricesMinor.length + 1));
    const { reservationId } = stay;
    const quote = await room.reservations.quoteChange(reservationId, staff, { startDate, endDate });
    if (quote.kind !== 'quoted') return;
    const change = { startDate, endDate, differenceMinor: quote.differenceMinor };
    const outcome = await room.reservations.changeStay(reservationId, staff, change);
    if (outcome.kind !== 'changed' && outcome.kind !== 'to-pay') return;
    if (outcome.kind === 'to-pay') {
      expect(outcome.reservation.supplement!.amountMinor).toBe(quote.priceMinor - priceOf(stay));
      if (!(await payMore(stay, outcome.reservation))) return;
    }
    const nights = stay.ratesMinor;
    stay.nightPricesMinor = [];
    for (let day = startDate; day <= endDate; day = addDays(day, 1))
      stay.nightPricesMinor.push(nights.get(day)!);
    stay.startDate = startDate;
  },
  async refund(stay, random) {
    const refundId = randomUUID();
    const { paymentOrderId, amountMinor } = random.pick(stay.payments);
    const minor = BigInt(1 + random.below(Math.ceil(Number(amountMinor) / 2)));
    const path = `/v1/payments/${paymentOrderId}/refunds`;
    const amount = formatMoney({ minor, currency: stay.currency as never });
    // Each stay has its own person, whose daily limit is not reached.
    const asked = await post(`staff.${stay.reservationId}`, path, { refund_id: refundId, amount });
    const { pending } = (await asked.json()) as { readonly pending?: string };
    if (pending !== 'review') return;
    const decision = random.next() < 0.7 ? 'approve' : 'deny';
    await post('finance.eve', `${path}/${refundId}/review`, { decision, reason: 'x' });
  },
  async dispute(stay, random) {
    if (random.next() < 0.6) return;
    const { paymentOrderId: nonce, amountMinor } = random.pick(stay.payments);
    const opened = await room.orders.control<SimulatedDispute>('POST', '/disputes', {
      ...{ nonce, amount_minor: String(1 + random.below(Math.ceil(Number(amountMinor) / 3))) },
    });
    if (opened?.id === undefined) return;
    await eventually(async () => {
      const sql = 'SELECT count(*) AS n FROM payment_disputes WHERE dispute_id = $1';
      expect(await room.orders.count(sql, [opened.id])).toBe(1);
    });
    const status = random.pick(['won', 'lost', 'open']);
    if (status !== 'open') await room.orders.control('POST', '/disputes/close', { id: opened.id, status });
  },
  invoice: issue,
};

async function live(number: number): Promise<ExpectedStay> {
  const random = seededRandom(number);
  const [currency] = currencyOf(number);
  const hotelId = hotelOf(number);
  const { sql } = room.deps;
  const taxRules = randomRules(random);
  await setTaxes(sql, hotelId, taxRules, { operatorId: 'olle', now: new Date() });
  const { rows } = await sql.query<{ readonly date: string; readonly price_minor: bigint }>(
    'SELECT date, price_minor FROM room_type_rate WHERE hotel_id = $1 ORDER BY date',
    [hotelId],
  );
  const ratesMinor = new Map(rows.map(({ date, price_minor }) => [date, price_minor]));
  const nights = 1 + random.below(3);
  const roomCount = 1 + random.below(2);
  const guests = 1 + random.below(4);
  const made = await room.reserve(hotelId, {
    // The risk rules hold more than 60 payments of one buyer in an hour.
    userId: `guest-${number}` as UserId,
    ...{ startDate: arrival, endDate: addDays(arrival, nights - 1), roomCount },
    guest: { guests, wrappedKey: Buffer.from('key'), sealed: Buffer.from('text') },
  });
  const stay: ExpectedStay = {
    ...{ reservationId: made.reservationId, hotelId, currency, taxRules, ratesMinor, roomCount, guests },
    ...{
      rooms: roomCount,
      startDate: arrival,
      isCancelled: false,
      keptMinor: 0n,
      extras: new Map(),
      told: [],
    },
    nightPricesMinor: Array.from({ length: nights }, (_, n) => ratesMinor.get(addDays(arrival, n))!),
    lateCancelPercent: made.lateCancelPercent,
    ...{ payments: [], returned: [], extrasPaidMinor: 0n, extrasGrantedMinor: 0n },
  };
  const payment = await room.registered(made);
  await room.typeCard(payment);
  await room.until(made, 'paid');
  stay.payments.push(payment);
  // What is shown is what is charged, and it is the sum of its lines.
  expect(payment.amountMinor).toBe(priceOf(stay));
  const view = reservationView(made);
  const minor = (text: string) => (Number(text) === 0 ? 0n : minorOf(text, currency)!);
  const lines = view.taxes.reduce((sum, { amount }) => sum + minor(amount), minor(view.net));
  expect(lines).toBe(priceOf(stay));
  const names = Object.keys(steps);
  const count = 2 + random.below(6);
  for (let step = 0; step < count; step += 1) {
    const name = random.pick(names);
    stay.told.push(name);
    await steps[name]!(stay, random);
  }
  return stay;
}

const sum = (lines: readonly { readonly amountMinor: bigint }[]): bigint =>
  lines.reduce((total, { amountMinor }) => total + amountMinor, 0n);

/** Of several payments. */
const total = (payments: readonly Money[]): Money => ({
  capturedMinor: payments.reduce((minor, one) => minor + one.capturedMinor, 0n),
  refundedMinor: payments.reduce((minor, one) => minor + one.refundedMinor, 0n),
  disputedMinor: payments.reduce((minor, one) => minor + one.disputedMinor, 0n),
});

async function folioOf({ reservationId }: ExpectedStay): Promise<Folio> {
  return inOneMoment(async (tx) => {
    const reservation = await findReservation(tx, reservationId, staff);
    return readFolio(tx, reservation!, readPaymentLines);
  });
}

test('folio, taxes and invoice = ledger = provider, for random stays in five currencies', async () => {
  const lived: ExpectedStay[] = [];
  for (let first = 1; first <= stays; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, stays - first + 1) }, (_, n) => first + n);
    lived.push(...(await Promise.all(numbers.map(live))));
  }
  await room.quiet();
  // What a person would be asked about, so that a failure names it.
  const { rows: doubts } = await room.deps.sql.query(
    'SELECT kind, state, operation, payment_order_id, psp_minor, our_minor FROM reconciliation_finding',
  );
  expect(doubts).toEqual([]);
  await room.prove();
  const [record, ledger] = [provided(await room.orders.record()), await posted(room.deps.sql)];
  for (const stay of lived) {
    const { told, payments, returned } = stay;
    const folio = await folioOf(stay);
    const accepted = payments.map(({ paymentOrderId }) => paymentOrderId);
    const money = total(accepted.map((id) => record.get(id)!));
    for (const { paymentOrderId, amountMinor } of payments) {
      const { refundedMinor } = record.get(paymentOrderId)!;
      expect({ told, isBounded: refundedMinor <= amountMinor }).toEqual({ told, isBounded: true });
    }
    for (const id of returned) expect(record.get(id)!.refundedMinor).toBe(record.get(id)!.capturedMinor);
    const paidMinor = money.capturedMinor - money.refundedMinor - money.disputedMinor;
    expect({ told, minor: folio.paymentsMinor }).toEqual({ told, minor: paidMinor });
    const ledgerMinor = [...accepted, ...returned].reduce((minor, id) => minor + (ledger.get(id) ?? 0n), 0n);
    expect({ told, minor: ledgerMinor }).toEqual({ told, minor: paidMinor });
    // Charges as this test expects them, by its own arithmetic.
    const forStayMinor = payments.reduce((minor, one) => minor + one.amountMinor, -stay.extrasPaidMinor);
    const grantedMinor =
      forStayMinor - (stay.isCancelled ? 0n : priceOf(stay)) - stay.keptMinor + stay.extrasGrantedMinor;
    const reducedMinor = money.refundedMinor > grantedMinor ? money.refundedMinor - grantedMinor : 0n;
    const extrasMinor = extrasOf(stay);
    const chargesMinor =
      (stay.isCancelled ? 0n : priceOf(stay)) + stay.keptMinor + extrasMinor - reducedMinor;
    expect({ told, minor: folio.chargesMinor }).toEqual({ told, minor: chargesMinor });
    expect(sum(folio.charges)).toBe(chargesMinor);
    const of = (...kinds: readonly string[]) => sum(folio.charges.filter(({ kind }) => kinds.includes(kind)));
    const lines = { stay: of('night', 'tax'), kept: of('cancellation'), extras: of('extra', 'void') };
    const stayMinor = stay.isCancelled ? 0n : priceOf(stay);
    expect({ told, lines }).toEqual({
      ...{ told, lines: { stay: stayMinor, kept: stay.keptMinor, extras: extrasMinor } },
    });
    if (reducedMinor === 0n && !stay.isCancelled)
      expect(folio.includedTaxes.filter(({ key }) => key.startsWith('vat'))).toMatchObject(
        vatOf(stay).map((amountMinor) => ({ amountMinor })),
      );
    expect(folio.balanceMinor).toBe(chargesMinor - paidMinor);
    const openMinor = extrasMinor - stay.extrasPaidMinor + stay.extrasGrantedMinor;
    if (money.disputedMinor === 0n)
      expect({ told, minor: folio.balanceMinor }).toEqual({ told, minor: openMinor });
    await issue(stay);
    const documents = await readInvoices(room.deps.sql, stay.reservationId);
    expect(documents.map(({ number }) => number)).toEqual(documents.map((_, n) => BigInt(n + 1)));
    expect(documents.reduce((total, one) => total + one.totalMinor, 0n)).toBe(chargesMinor);
    for (const document of documents) expect(sum(document.lines)).toBe(document.totalMinor);
    expect(sum(documents.flatMap(({ taxes }) => taxes))).toBe(sum(folio.includedTaxes));
  }
  // The steps were not all refused.
  const done = (is: (stay: ExpectedStay) => boolean) => lived.filter(is).length;
  expect(done(({ isCancelled }) => isCancelled)).toBeGreaterThan(0);
  expect(done(({ rooms, roomCount }) => roomCount < rooms)).toBeGreaterThan(0);
  expect(done(({ keptMinor }) => keptMinor > 0n)).toBeGreaterThan(0);
  expect(done(({ extras }) => extras.size > 0)).toBeGreaterThan(0);
  expect(done(({ startDate }) => startDate !== arrival)).toBeGreaterThan(0);
  expect(
    done(({ payments, extrasPaidMinor }) => payments.length > 1 && extrasPaidMinor === 0n),
  ).toBeGreaterThan(0);
  expect(done(({ extrasPaidMinor }) => extrasPaidMinor > 0n)).toBeGreaterThan(0);
  expect(done(({ extrasGrantedMinor }) => extrasGrantedMinor > 0n)).toBeGreaterThan(0);
});
