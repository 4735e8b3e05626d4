import { useEffect, useRef, useState } from 'preact/hooks';
import type { GuestBody } from '#schemas/http/hotel-guests.js';
import { type GuestEntry, type GuestField, guestFaults, guestFields } from './guest-entry.js';
import { GuestInputs } from './guest-inputs.js';
import { messages } from './staff-messages.js';

/** The server knows how many people the rooms sleep. */
const guestsMax = 500;

/** Corrects a guest. Faults are shown at their fields from the first attempt to save. */
export function StaffGuestForm({
  guest,
  people,
  busy,
  onGuest,
  onEdit,
  onCancel,
}: {
  /** Null: there is none yet. */
  readonly guest: GuestBody | null;
  /** Of the reservation. */
  readonly people: number;
  readonly busy: boolean;
  readonly onGuest: (guest: GuestBody) => void;
  readonly onEdit: () => void;
  readonly onCancel: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const [entry, setEntry] = useState<GuestEntry>({
    name: guest?.name ?? '',
    email: guest?.email ?? '',
    phone: guest?.phone ?? '',
    guests: String(guest?.guests ?? people),
  });
  const faults = faultsOf(entry);
  const field = (name: GuestField) => form.current?.elements.namedItem(name) as HTMLInputElement | null;
  useEffect(() => field('name')?.focus(), []);
  const save = () => {
    setTried(true);
    const wrong = guestFields.find((name) => faults.has(name));
    if (wrong === undefined) onGuest(guestOf(entry));
    else field(wrong)?.focus();
  };
  return (
    <form
      ref={form}
      class="guest-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <GuestInputs
        entry={entry}
        faults={tried ? faults : undefined}
        labelOf={(name) => messages.guestField[name]}
        required={['name', 'guests']}
        isOwn={false}
        onEntry={(next) => {
          setEntry(next);
          onEdit();
        }}
      />
      <div class="button-row wrap">
        <button type="submit" class="main-button" aria-busy={busy}>
          {messages.saveGuest}
        </button>
        <button type="button" class="main-button quiet" onClick={onCancel}>
          {messages.cancel}
        </button>
      </div>
    </form>
  );
}

/** As on the booking page, but a guest may have no e-mail address, and the number is always known. */
function faultsOf(entry: GuestEntry): ReadonlyMap<GuestField, string> {
  const faults = new Map(guestFaults(entry, guestsMax));
  if (entry.email.trim() === '') faults.delete('email');
  if (entry.guests.trim() === '') faults.set('guests', messages.checkGuests);
  return faults;
}

const guestOf = (entry: GuestEntry): GuestBody => {
  const [name, email, phone] = [entry.name.trim(), entry.email.trim(), entry.phone.trim()];
  return {
    name,
    ...(email === '' ? {} : { email }),
    ...(phone === '' ? {} : { phone }),
    guests: Number(entry.guests),
  };
};
