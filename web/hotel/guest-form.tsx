import { useEffect, useRef, useState } from 'preact/hooks';
import * as texts from './card-messages.js';
import { type GuestEntry, type GuestField, guestFaults, guestFields, nothingTyped } from './guest-entry.js';
import { GuestInputs } from './guest-inputs.js';
import * as messages from './messages.js';

/** Kept while the page is open, so that other dates or another room need no second typing. */
let typed: GuestEntry = nothingTyped;
let agreed = false;

const required: readonly GuestField[] = ['name', 'email'];

interface GuestFormProps {
  /** Who was asked for; the form may say another number. */
  readonly guests: number;
  /** Of all rooms together. */
  readonly sleeps: number;
  /** What the stay costs for a number of guests; empty: as many as the price above assumes. */
  readonly price: (guests: string) => preact.ComponentChildren;
  /** There is a mail server for receipts. */
  readonly receiptByEmail: boolean;
  readonly busy: boolean;
  /** `savesCard`: the guest agreed that the provider keeps the card. */
  readonly onGuest: (entry: GuestEntry, savesCard: boolean) => void;
  readonly onBack: () => void;
}

/** Who stays, asked before the payment. Faults are shown from the first attempt to go on. */
export function GuestForm({ guests, sleeps, price, receiptByEmail, busy, onGuest, onBack }: GuestFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [entry, setEntry] = useState({ ...typed, guests: String(guests) });
  const [savesCard, setSavesCard] = useState(agreed);
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
    if (wrong === undefined) onGuest(entry, savesCard);
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
      <label class="agree">
        <input
          type="checkbox"
          checked={savesCard}
          onChange={({ currentTarget: { checked } }) => {
            agreed = checked;
            setSavesCard(checked);
          }}
        />
        <span>
          {texts.saveCard}
          <span class="muted">{texts.saveCardHint}</span>
        </span>
      </label>
      <p class="muted">{messages.detailsHint(receiptByEmail)}</p>
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
