import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { opera, type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelID: string;
beforeAll(async () => {
  served = await serveHotels();
  hotelID = await newHotel();
});
afterAll(() => served?.close());

/** 100.00 a night with 12 % VAT in it, and 10.00 for each person and night on top. */
async function newHotel(): Promise<string> {
  const { json } = await served.call('POST', '/v1/hotels', {
    token: served.tokens['olle']!,
    body: { ...opera, name: 'Opera <b>&</b> "Söner"', country: 'SE' },
  });
  const { sql } = served.database;
  await sql.query('UPDATE room_type_inventory SET total_inventory = 50 WHERE hotel_id = $1', [json.hotelID]);
  await sql.query(
    `INSERT INTO room_type_rate SELECT $1, 'double', '2027-07-01'::date + d, 10000 FROM generate_series(0, 9) d`,
    [json.hotelID],
  );
  const rules = [
    { code: 'vat', name: 'VAT 12 %', kind: 'vat', percent: '12' },
    { code: 'city-tax', name: 'City tax', kind: 'person-night', amount: '10.00' },
  ];
  const path = `/v1/hotels/${json.hotelID}/taxes`;
  await served.call('PUT', path, { token: served.tokens['olle']!, body: { rules } });
  return json.hotelID;
}

const anna = (method: string, path: string, body?: object) =>
  served.call(method, `/v1/reservations/${path}`, {
    token: served.tokens['anna']!,
    ...(body === undefined ? {} : { body }),
  });
const siv = (method: string, path: string, body?: object) =>
  served.call(method, `/v1/staff/reservations/${path}`, {
    token: served.tokens['siv']!,
    listener: 'internal',
    ...(body === undefined ? {} : { body }),
  });

/** Two nights in two rooms: 400.00, and 2 · 3 · 10.00 of city tax. */
async function booked({ name = 'Anna', pay = true, at = hotelID } = {}): Promise<string> {
  const reservationID = randomUUID();
  const made = await served.call('POST', '/v1/reservations', {
    token: served.tokens['anna']!,
    body: {
      ...{ reservationID, hotelID: at, roomTypeID: 'double', roomCount: '2' },
      ...{ startDate: '2027-07-01', endDate: '2027-07-02', guest: { name, guests: 3 } },
    },
  });
  expect(made.json).toMatchObject({ price: '460.00', net: '357.14' });
  if (pay) {
    const payment = { reservationId: reservationID, paymentId: `pay-${reservationID}` };
    const outcome = await served.database
      .reservations()
      .confirmPayment({ ...payment, amountMinor: 46_000n, currency: 'SEK' });
    expect(outcome.kind).toBe('paid');
  }
  return reservationID;
}

/** What payment tells hotels about refunds and disputes. */
const note = (reservationId: string, version: number, refundedMinor: bigint, disputedMinor = 0n) =>
  served.database.reservations().noteMoney({
    ...{ reservationId, paymentId: `pay-${reservationId}`, version, refundedMinor, disputedMinor },
    refundableMinor: 46_000n - disputedMinor,
  });

const linesOf = (json: { charges: { name: string; amount: string }[] }) =>
  json.charges.map(({ name, amount }) => [name, amount]);

test('while nothing is paid, the folio has the nights, what is on top of them, and a balance', async () => {
  const id = await booked({ pay: false });
  const { status, json } = await anna('GET', `${id}/folio`);
  expect(status).toBe(200);
  expect(linesOf(json)).toEqual([
    ['2 rooms', '200.00'],
    ['2 rooms', '200.00'],
    ['City tax', '60.00'],
  ]);
  expect(json.taxes).toEqual([{ name: 'VAT 12 %', amount: '42.86' }]);
  expect(json.totals).toEqual({ charges: '460.00', payments: '0.00', balance: '460.00' });
  expect((await siv('GET', `${id}/folio`)).json).toEqual(json);
  const bo = { token: served.tokens['bo']! };
  expect((await served.call('GET', `/v1/reservations/${id}/folio`, bo)).status).toBe(404);
  expect((await siv('POST', `${id}/folio/extras`, extra())).json.code).toBe('reservation-not-paid');
  expect((await anna('POST', `${id}/invoice`)).json.code).toBe('reservation-not-paid');
});

const extra = (given: object = {}) => ({
  entryID: randomUUID(),
  name: 'Breakfast',
  amount: '125.00',
  vatPercent: '25',
  reason: 'asked at the desk',
  ...given,
});

proves('H-010', {
  asked: 'each change made there is visible through the public API',
  shown: 'the guest reads the folio with an extra, then with it voided, as staff do',
  control: {
    in: 'hotel/http/folio-routes.ts',
    change: 'found && readFolio(tx, found, readPayments);',
    to: "found && readFolio(tx, 'staff' in actor ? found : { ...found, reservationId: '' }, readPayments);",
  },
});
test('H-010: staff post and void extras, each once, audited, and nothing is ever edited', async () => {
  const id = await booked();
  const breakfast = extra();
  const posted = await siv('POST', `${id}/folio/extras`, breakfast);
  expect(posted.status).toBe(201);
  expect(posted.json.totals).toEqual({ charges: '585.00', payments: '460.00', balance: '125.00' });
  expect(posted.json.taxes).toContainEqual({ name: 'VAT 25 % on extras', amount: '25.00' });
  expect((await anna('GET', `${id}/folio`)).json).toEqual(posted.json);
  const again = await siv('POST', `${id}/folio/extras`, breakfast);
  expect([again.status, again.json]).toEqual([200, posted.json]);
  const other = await siv('POST', `${id}/folio/extras`, { ...breakfast, amount: '1.00' });
  expect(other.json.code).toBe('entry-id-used');
  const voidPath = `${id}/folio/extras/${breakfast.entryID}/void`;
  expect((await siv('POST', voidPath, {})).status).toBe(400);
  const voided = await siv('POST', voidPath, { reason: 'was included' });
  expect(voided.status).toBe(201);
  expect(linesOf(voided.json).slice(-2)).toEqual([
    ['Breakfast', '125.00'],
    ['Breakfast', '-125.00'],
  ]);
  expect(voided.json.taxes).toHaveLength(1);
  expect(voided.json.totals.balance).toBe('0.00');
  expect((await anna('GET', `${id}/folio`)).json).toEqual(voided.json);
  const twice = await siv('POST', voidPath, { reason: 'again' });
  expect([twice.status, twice.json]).toEqual([200, voided.json]);
  const { json: audit } = await served.call('GET', `/v1/staff/actions?subject=${id}`, {
    token: served.tokens['siv']!,
    listener: 'internal',
  });
  const deeds = audit.actions.map((one: { action: string; reason: string; outcome: string }) => [
    ...[one.action, one.reason, one.outcome],
  ]);
  expect(deeds).toContainEqual(['post-extra', 'asked at the desk', 'posted']);
  expect(deeds).toContainEqual(['void-extra', 'was included', 'posted']);
  const { sql } = served.database;
  for (const statement of [
    `UPDATE folio_entry SET amount_minor = 1 WHERE reservation_id = '${id}'`,
    `DELETE FROM folio_entry WHERE reservation_id = '${id}'`,
    'TRUNCATE folio_entry CASCADE',
    'DELETE FROM invoice',
  ])
    await expect(sql.query(statement)).rejects.toThrow('only added to');
});

test('bad extras are refused', async () => {
  const id = await booked();
  for (const [bad, status] of [
    [extra({ amount: '-1.00' }), 400],
    [extra({ amount: '0' }), 400],
    [extra({ amount: '1.005' }), 400],
    [extra({ amount: '999999999999' }), 400],
    [extra({ vatPercent: '101' }), 400],
    [extra({ vatPercent: '-1' }), 400],
    [extra({ reason: '' }), 400],
    [extra({ name: 'x'.repeat(101) }), 400],
    [extra({ entryID: 'void of 1' }), 400],
    [extra({ price: '1.00' }), 400],
  ] as const)
    expect((await siv('POST', `${id}/folio/extras`, bad)).status, JSON.stringify(bad)).toBe(status);
  expect((await siv('POST', `nobody/folio/extras`, extra())).status).toBe(404);
  expect((await siv('POST', `${id}/folio/extras/none/void`, { reason: 'x' })).status).toBe(404);
  expect((await anna('GET', `${id}/folio`)).json.totals.balance).toBe('0.00');
});

test('at once: one extra is posted once and voided once', async () => {
  const id = await booked();
  const minibar = extra({ amount: '10.00' });
  const posts = await Promise.all(
    Array.from({ length: 8 }, () => siv('POST', `${id}/folio/extras`, minibar)),
  );
  expect(posts.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  const path = `${id}/folio/extras/${minibar.entryID}/void`;
  const voids = await Promise.all(Array.from({ length: 8 }, () => siv('POST', path, { reason: 'x' })));
  expect(voids.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  expect((await anna('GET', `${id}/folio`)).json.totals.balance).toBe('0.00');
});

test('after a cancellation: what was kept, and what is still to be refunded', async () => {
  const id = await booked();
  const { clock } = served.database;
  const before = clock.now;
  clock.now = new Date('2027-06-30T20:00:00Z');
  try {
    // One of two rooms, late: 100 % of 230.00 − its share of three people rounded up to two is kept.
    await anna('DELETE', `${id}?rooms=1&of=2`);
  } finally {
    clock.now = before;
  }
  const { json } = await anna('GET', `${id}/folio`);
  expect(linesOf(json)).toEqual([
    ['Room', '100.00'],
    ['Room', '100.00'],
    ['City tax', '40.00'],
    ['Cancellation', '220.00'],
  ]);
  expect(json.totals).toEqual({ charges: '460.00', payments: '460.00', balance: '0.00' });
  await anna('DELETE', id);
  const cancelled = (await anna('GET', `${id}/folio`)).json;
  expect(linesOf(cancelled)).toEqual([['Cancellation', '220.00']]);
  expect(cancelled.totals).toEqual({ charges: '220.00', payments: '460.00', balance: '-240.00' });
  await note(id, 1, 24_000n);
  expect((await anna('GET', `${id}/folio`)).json.totals.balance).toBe('0.00');
});

test('a refund beyond the policy is a reduction; a dispute is owed', async () => {
  const id = await booked();
  await note(id, 1, 6_000n);
  const reduced = (await anna('GET', `${id}/folio`)).json;
  expect(linesOf(reduced).at(-1)).toEqual(['Refunded beyond the policy', '-60.00']);
  expect(reduced.totals).toEqual({ charges: '400.00', payments: '400.00', balance: '0.00' });
  // 42.86 · 340 / 400
  expect(reduced.taxes).toEqual([{ name: 'VAT 12 %', amount: '36.43' }]);
  await note(id, 2, 6_000n, 10_000n);
  expect((await anna('GET', `${id}/folio`)).json.totals).toMatchObject({ balance: '100.00' });
});

interface Document {
  readonly number: string;
  readonly kind: string;
  readonly total: string;
  readonly net: string;
  readonly lines: readonly { readonly name: string; readonly amount: string }[];
}
const documentsOf = async (id: string): Promise<readonly Document[]> =>
  (await anna('GET', `${id}/invoice`)).json.invoices;

proves('H-010', {
  asked: 'each change made there is visible through the public API',
  shown: 'the guest reads the invoice and the credit note that staff have issued',
  control: {
    in: 'hotel/http/folio-routes.ts',
    change: 'const invoices = await readInvoices(sql, found.reservationId);',
    to: "const invoices = (await readInvoices(sql, found.reservationId)).slice(0, 'staff' in actor ? 9 : 1);",
  },
});
test('H-010: documents have what no earlier one has, so their sum is the folio', async () => {
  const id = await booked({ at: await newHotel() });
  expect((await anna('GET', `${id}/invoice`)).status).toBe(404);
  const first = await anna('POST', `${id}/invoice`);
  expect(first.status).toBe(201);
  expect(first.json.invoices).toMatchObject([
    { number: '1', kind: 'invoice', total: '460.00', net: '417.14' },
  ]);
  expect((await anna('POST', `${id}/invoice`)).status).toBe(200);
  await siv('POST', `${id}/folio/extras`, extra({ entryID: 'wine' }));
  expect((await siv('POST', `${id}/invoice`, {})).status).toBe(201);
  await siv('POST', `${id}/folio/extras/wine/void`, { reason: 'corked' });
  await note(id, 1, 46_000n);
  expect((await siv('POST', `${id}/invoice`, {})).status).toBe(201);
  const documents = await documentsOf(id);
  expect(documents.map(({ number, kind, total, net }) => [number, kind, total, net])).toEqual([
    ['1', 'invoice', '460.00', '417.14'],
    ['2', 'invoice', '125.00', '100.00'],
    ['3', 'credit-note', '-585.00', '-517.14'],
  ]);
  expect(documents[2]!.lines.map(({ name, amount }) => [name, amount])).toEqual([
    ['Refunded beyond the policy', '-460.00'],
    ['Breakfast', '-125.00'],
  ]);
});

test('numbers of a hotel have no gap, whoever asks at once and whatever fails', async () => {
  const at = await newHotel();
  const ids = await Promise.all(Array.from({ length: 12 }, () => booked({ at })));
  const asked = await Promise.all(
    ids.flatMap((id) => [anna('POST', `${id}/invoice`), siv('POST', `${id}/invoice`, {})]),
  );
  expect(asked.every(({ status }) => status === 200 || status === 201)).toBe(true);
  // A document that fails in its transaction takes its number back.
  const { sql } = served.database;
  const failing = sql.transaction(async (tx) => {
    await tx.query('UPDATE invoice_number SET newest = newest + 1 WHERE hotel_id = $1', [at]);
    throw new Error('taken back');
  });
  await expect(failing).rejects.toThrow('taken back');
  await siv('POST', `${ids[0]}/folio/extras`, extra());
  await anna('POST', `${ids[0]}/invoice`);
  const { rows } = await sql.query('SELECT number FROM invoice WHERE hotel_id = $1 ORDER BY number', [at]);
  expect(rows.map((row) => row['number'])).toEqual(Array.from({ length: 13 }, (_, n) => BigInt(n + 1)));
});

test('the page to print escapes every text and runs nothing', async () => {
  const id = await booked({ name: '<img src=x onerror=alert(1)> محمد \u202e' });
  await siv('POST', `${id}/folio/extras`, extra({ name: '<script>alert(2)</script>' }));
  await anna('POST', `${id}/invoice`);
  const page = await anna('GET', `${id}/invoice?format=html`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  // The style that the policy allows is the one of the page.
  const style = /<style>(.*)<\/style>/.exec(page.text)![1]!;
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  const { text } = page;
  expect(text).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt; محمد');
  expect(text).toContain('&lt;script&gt;alert(2)&lt;/script&gt;');
  expect(text).toContain('Opera &lt;b&gt;&amp;&lt;/b&gt; &quot;Söner&quot;');
  expect(text).not.toMatch(/<(img|script|b)\b/);
  expect(text).toContain('585.00&nbsp;SEK');
  await anna('DELETE', `${id}/guest`);
  expect((await anna('GET', `${id}/invoice?format=html`)).text).not.toContain('محمد');
});
