import { useState } from 'preact/hooks';
import type { GuestBody } from '#schemas/http/hotel-guests.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { askAs } from './calls.js';
import { ConfirmWithReason } from './confirm-with-reason.js';
import { Shown } from './frame.js';
import { guestAt } from './guest-at.js';
import { StaffGuestForm } from './staff-guest-form.js';
import { messages } from './staff-messages.js';
import { Said, useDeed } from './use-deed.js';
import { useLoaded } from './use-loaded.js';

interface GuestProps {
  /** The address of the reservation's operations. */
  readonly path: string;
  readonly reservation: ReservationView;
  /** For the audit log, if one is entered. */
  readonly reason: string;
  readonly onChanged: () => void;
}

const correctable: ReadonlySet<string> = new Set([
  'pending_payment',
  'paid',
  'payment_returned',
  'checked_in',
]);

/** Who stays: shown, corrected while the stay is not over, and erased at any time. */
export function StaffGuest({ path, reservation, reason, onChanged }: GuestProps) {
  const { reservationID, updatedAt, status } = reservation;
  const [open, setOpen] = useState<'' | 'correct' | 'erase'>('');
  const { deed, run, forget } = useDeed();
  const [guest, again] = useLoaded(`${path} ${updatedAt}`, () => guestAt(path));
  const after = (text: string) => {
    setOpen('');
    again();
    onChanged();
    return text;
  };
  const save = (typed: GuestBody) =>
    run(async () => {
      const body = { guest: typed, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
      await askAs('desk', `${path}/guest`, { method: 'PUT', body });
      return after(messages.guestSaved);
    });
  const erase = (why: string) =>
    run(async () => {
      const body = { reservationID, reason: why };
      await askAs('desk', '/v1/staff/guest-erasures', { method: 'POST', body });
      return after(messages.guestErased);
    });
  const show = (next: typeof open) => {
    setOpen(next);
    forget();
  };
  return (
    <section class="guest">
      <h3>{messages.guest}</h3>
      <Shown state={guest}>
        {(found) => (
          <>
            {found === null ? <p class="muted">{messages.noGuest}</p> : <GuestData guest={found} />}
            {open === 'correct' && (
              <StaffGuestForm
                guest={found}
                people={reservation.guests ?? Number(reservation.roomCount)}
                busy={deed.busy}
                onGuest={(typed) => void save(typed)}
                onEdit={forget}
                onCancel={() => show('')}
              />
            )}
            {open === 'erase' && (
              <ConfirmWithReason
                question={messages.eraseQuestion}
                confirm={messages.confirmErase}
                deed={deed}
                onConfirm={(why) => void erase(why)}
                onKeep={() => show('')}
              />
            )}
            {open === '' && (
              <div class="button-row">
                {correctable.has(status) && (
                  <button type="button" class="link-button" onClick={() => show('correct')}>
                    {found === null ? messages.addGuest : messages.correctGuest}
                  </button>
                )}
                {found !== null && (
                  <button type="button" class="link-button" onClick={() => show('erase')}>
                    {messages.eraseGuest}
                  </button>
                )}
              </div>
            )}
            {open !== 'erase' && <Said deed={deed} />}
          </>
        )}
      </Shown>
    </section>
  );
}

function GuestData({ guest: { name, email, phone, guests } }: { readonly guest: GuestBody }) {
  return (
    <dl class="facts">
      <dt>{messages.guestField.name}</dt>
      <dd>
        <bdi>{name}</bdi>
      </dd>
      <dt>{messages.guestField.email}</dt>
      <dd>{email === undefined ? '–' : <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>}</dd>
      <dt>{messages.guestField.phone}</dt>
      <dd>{phone === undefined ? '–' : <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}</dd>
      <dt>{messages.guestField.guests}</dt>
      <dd>{guests}</dd>
    </dl>
  );
}
