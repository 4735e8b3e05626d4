import { useEffect, useRef, useState } from 'preact/hooks';
import { type CardChoice, ChooseCard, nameOfCard } from './card-choice.js';
import { messages as texts } from './card-messages.js';
import { type GuestEntry, type GuestField, guestFaults, guestFields } from './guest-entry.js';
import { GuestInputs } from './guest-inputs.js';
import { messages } from './messages.js';
import { setTypedGuest, typedGuest } from './typed-guest.js';

const required: readonly GuestField[] = ['name', 'email'];

interface GuestFormProps {
  readonly hotelId: string;
  /** Who was asked for; the form may say another number. */
  readonly guests: number;
  /** Of all rooms together. */
  readonly sleeps: number;
  /** What the stay costs for a number of guests; empty: as many as the price above assumes. */
  readonly price: (guests: string) => preact.ComponentChildren;
  /** There is a mail server for receipts. */
  readonly receiptByEmail: boolean;
  readonly busy: boolean;
  readonly onGuest: (entry: GuestEntry, card: CardChoice) => void;
  readonly onBack: () => void;
}

/** Who stays, asked before the payment. Faults are shown from the first attempt to go on. */
export function GuestForm(props: GuestFormProps) {
  const { hotelId, guests, sleeps, price, receiptByEmail, busy, onGuest, onBack } = props;
  const form = useRef<HTMLFormElement>(null);
  const [entry, setEntry] = useState({ ...typedGuest().entry, guests: String(guests) });
  const [choice, setChoice] = useState<CardChoice>({
    ...{ kind: 'page', isSaved: typedGuest().savesCard },
  });
  const [tried, setTried] = useState(false);
  const faults = guestFaults(entry, sleeps);
  const field = (name: GuestField) => form.current?.elements.namedItem(name) as HTMLInputElement | null;
  useEffect(() => field('name')?.focus(), []);
  const change = (next: GuestEntry) => {
    setTypedGuest({ ...typedGuest(), entry: next });
    setEntry(next);
  };
  const choose = (next: CardChoice) => {
    if (next.kind === 'page') setTypedGuest({ ...typedGuest(), savesCard: next.isSaved });
    setChoice(next);
  };
  const goOn = () => {
    setTried(true);
    const wrong = guestFields.find((name) => faults.has(name));
    if (wrong === undefined) onGuest(entry, choice);
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
      <ChooseCard hotelId={hotelId} choice={choice} onChoice={choose} />
      <p class="muted">{messages.detailsHint(receiptByEmail)}</p>
      {price(faults.has('guests') ? '' : entry.guests.trim())}
      <div class="button-row wrap">
        <button type="submit" class="main-button" aria-busy={busy}>
          {choice.kind === 'saved' ? texts.reserveAndPay(nameOfCard(choice.card)) : messages.goToPayment}
        </button>
        <button type="button" class="main-button quiet" onClick={onBack}>
          {messages.back}
        </button>
      </div>
    </form>
  );
}
