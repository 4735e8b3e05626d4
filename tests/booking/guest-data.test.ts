import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Guests } from '#hotel/guests/guests.js';
import { Envelope } from '#platform/encryption/envelope.js';
import { BookingRoom } from './booking-fixture.js';

const guest = {
  name: 'Ingeborg Bachmann-Frisch',
  email: 'ingeborg@malina.example',
  phone: '+43 463 537 02 00',
  guests: 1,
};

test('no topic, dead letter, table or log of a paid and refunded booking has its guest', async () => {
  const room = await BookingRoom.open({ hotels: 1 });
  try {
    const { sql } = room.deps;
    const guests = new Guests({ sql, envelope: new Envelope([Buffer.alloc(32, 7)]) });
    const reservationId = randomUUID();
    const made = await room.reserve('h00001', { reservationId, guest: guests.seal(reservationId, guest) });
    const payment = await room.registered(made);
    await room.typeCard(payment);
    await room.until(made, 'paid');
    await room.reservations.cancel(reservationId, { staff: true });
    const found = await room.until(made, 'refunded');
    await room.quiet();
    expect(await guests.get(found)).toEqual(guest);

    const { rows: tables } = await sql.query(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const rows = await Promise.all(
      tables.map(
        async ({ name }) => (await sql.query(`SELECT t::text AS row FROM ${name as string} t`)).rows,
      ),
    );
    const stored = rows.flat().map((row) => row['row'] as string);
    const published = room.publishedBytes();
    const record = JSON.stringify(await room.orders.record());
    const places = { stored, published, logged: room.orders.logLines, provider: [record] };
    for (const [place, texts] of Object.entries(places)) {
      expect(texts.length, place).toBeGreaterThan(0);
      const all = texts.join('\n');
      for (const secret of [guest.name, 'Bachmann', guest.email, 'malina', guest.phone])
        for (const text of [
          secret,
          Buffer.from(secret).toString('hex'),
          Buffer.from(secret).toString('base64'),
        ])
          expect(all.includes(text), `${place}: ${secret}`).toBe(false);
    }
    expect(published.join('\n')).toContain(reservationId);
    expect(stored.join('\n')).toContain(reservationId);
  } finally {
    await room.close();
  }
});
