import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guestFaults as faultsOfServer } from '#hotel/guests/guest.js';
import { checkMail } from '#platform/mail/mailer.js';
import { type GuestEntry, guestFaults, guestOf, nothingTyped } from '#web/hotel/guest-entry.js';

const good: GuestEntry = { name: ' Anna Åström ', email: 'anna@astrom.example ', phone: '', guests: '' };
const faults = (given: Partial<GuestEntry>, sleeps = 4) =>
  Object.fromEntries(guestFaults({ ...good, ...given }, sleeps));

test('each fault is said at its field, in a sentence', () => {
  expect(Object.fromEntries(guestFaults(nothingTyped, 2))).toEqual({
    name: 'Enter the name of the first guest.',
    email: 'Enter your e-mail address.',
  });
  expect(faults({})).toEqual({});
  for (const email of ['anna', 'anna@', '@x.org', 'a b@x.org', 'a@x', 'a@b.org, c@d.org', '<a@b.org>'])
    expect(faults({ email }), email).toEqual({
      email: 'Enter an e-mail address such as anna@example.org.',
    });
  expect(faults({ name: 'x'.repeat(201) })).toEqual({ name: 'Enter a name of at most 200 characters.' });
  expect(Object.keys(faults({ phone: 'call me' }))).toEqual(['phone']);
  for (const guests of ['0', '-1', '1.5', 'two', '1e1'])
    expect(faults({ guests }), guests).toEqual({
      guests: 'Enter the number of guests, or leave it empty.',
    });
  expect(faults({ guests: '5' })).toEqual({ guests: 'These rooms sleep at most 4 guests.' });
});

test('without a number of guests it is one in each room, as the shown price assumes', () => {
  expect(guestOf(good, 2)).toEqual({ name: 'Anna Åström', email: 'anna@astrom.example', guests: 2 });
  expect(guestOf({ ...good, phone: '+46 31 1', guests: '3' }, 2)).toMatchObject({
    phone: '+46 31 1',
    guests: 3,
  });
});

test('what the form accepts, the server and the mail accept', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.emailAddress());
  const entries = fc.record({
    name: text,
    email: text,
    phone: fc.string(),
    guests: fc.string({ maxLength: 3 }),
  });
  fc.assert(
    fc.property(entries, (entry) => {
      fc.pre(guestFaults(entry, 500).size === 0);
      const guest = guestOf(entry, 1);
      expect(faultsOfServer(guest)).toEqual([]);
      checkMail({ id: 'a', to: guest.email, subject: '', text: '' });
    }),
    {
      numRuns: 300,
      examples: [
        [{ ...good, email: 'anna@åström.example' }],
        [{ ...good, name: 'a\u0007b' }],
        [{ ...good, name: '\ud800' }],
        [{ ...good, email: `${'a'.repeat(64)}@${'b'.repeat(180)}.org` }],
        [{ ...good, email: `a@${'b'.repeat(189)}.org` }],
      ],
    },
  );
});
