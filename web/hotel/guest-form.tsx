import { useEffect, useRef, useState } from 'preact/hooks';
import { type GuestEntry, type GuestField, guestFaults, guestFields, nothingTyped } from './guest-entry.js';
import { GuestInputs } from './guest-inputs.js';
import * as messages from './messages.js';

/** Kept while the page is open, so that other dates or another room need no second typing. */
let typed: GuestEntry = nothingTyped;

const required: readonly GuestField[] = ['name', 'email'];

interface GuestFormProps {
  /** Of all rooms together. */
  readonly sleeps: number;
  /** What the stay costs for a number of guests; empty: as many as the price above assumes. */
  readonly price: (guests: string) => preact.ComponentChildren;
  readonly busy: boolean;
  readonly onGuest: (entry: GuestEntry) => void;
  readonly onBack: () => void;
}

/** Who stays, asked before the payment. Faults are shown from the first attempt to go on. */
export function GuestForm({ sleeps, price, busy, onGuest, onBack }: GuestFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [entry, setEntry] = useState(typed);
  const [tried, setTried] = useState(false);
  const faults = guestFaults(entry, sleeps);
  const field = (name: GuestField) => form.current?.elements.namedItem(name) as HTMLInputElement | null;
  useEffect(() => field('name')?.focus(), []);
  const change = (next: GuestEntry) => {
    typed = next;
    setEntry(next);
  };
  const goOn = () => {
    setTried(true);
    const wrong = guestFields.find((name) => faults.has(name));
    if (wrong === undefined) onGuest(entry);
    else field(wrong)?.focus();
  };
  return (
    <form
      ref={form}
      class="guest-form"
      noValidate
      aria-label={messages.guestForm}
      onSubmit={(event) => {
        event.preventDefault();
        goOn();
      }}
    >
      <GuestInputs
        entry={entry}
        faults={tried ? faults : undefined}
        labelOf={(name) =>
          required.includes(name) ? messages.guestField[name] : messages.optional(messages.guestField[name])
        }
        required={required}
        isOwn
        onEntry={change}
      />
      <p class="muted">{messages.receiptHint}</p>
      {price(faults.has('guests') ? '' : entry.guests.trim())}
      <div class="button-row wrap">
        <button type="submit" class="main-button" aria-busy={busy}>
          {messages.goToPayment}
        </button>
        <button type="button" class="main-button quiet" onClick={onBack}>
          {messages.back}
        </button>
      </div>
    </form>
  );
}
