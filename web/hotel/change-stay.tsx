import { useState } from 'preact/hooks';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { ExpectedStay, StayQuoteView } from '#schemas/http/hotel-stay-changes.js';
import { RequestFailed } from '../http/ask.js';
import { askAs } from './calls.js';
import { messages } from './messages.js';
import type { RequestedStay } from './requested-stay.js';
import { StayForm, stayFault } from './stay-form.js';
import { moneyText, quoteText } from './texts.js';

interface ChangeProps {
  readonly scope: 'customer' | 'desk';
  /** The address of the reservation's operations. */
  readonly path: string;
  readonly reservation: ReservationView;
  /** For the audit log. */
  readonly reason?: string;
  readonly onChanged: (changed: ReservationView) => void;
  /** Somebody else has changed the stay meanwhile: it is to be loaded again. */
  readonly onOvertaken: () => void;
}

/** Changes dates and rooms. The amount is shown first, and only that amount is agreed to. */
export function ChangeStay(props: ChangeProps) {
  const { reservation, onChanged, onOvertaken } = props;
  const { roomTypeID, startDate, endDate, roomCount } = reservation;
  const [isOpen, setOpen] = useState(false);
  const [overtaken, setOvertaken] = useState('');
  return isOpen ? (
    <>
      {overtaken !== '' && (
        <p class="bad wide" role="alert">
          {overtaken}
        </p>
      )}
      <Form
        {...props}
        // It begins again with the stay as it is now.
        key={`${roomTypeID} ${startDate} ${endDate} ${roomCount}`}
        onChanged={(changed) => {
          setOpen(false);
          onChanged(changed);
        }}
        onOvertaken={(message) => {
          setOvertaken(message);
          onOvertaken();
        }}
        onClose={() => setOpen(false)}
      />
    </>
  ) : (
    <button
      type="button"
      class="main-button quiet"
      onClick={() => {
        setOvertaken('');
        setOpen(true);
      }}
    >
      {messages.changeStay}
    </button>
  );
}

interface FormProps extends Omit<ChangeProps, 'onOvertaken'> {
  readonly onOvertaken: (message: string) => void;
  readonly onClose: () => void;
}

function Form({ scope, path, reservation, reason, onChanged, onOvertaken, onClose }: FormProps) {
  const { roomTypeID, startDate, endDate, roomCount, guests } = reservation;
  const [stay, setStay] = useState<RequestedStay>({
    ...{ startDate, endDate, roomCount: Number(roomCount) },
    guests: guests ?? Number(roomCount),
  });
  const [quote, setQuote] = useState<StayQuoteView | null>(null);
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const fault = stayFault(stay);
  const body = { startDate: stay.startDate, endDate: stay.endDate, roomCount: String(stay.roomCount) };
  const send = async (work: () => Promise<void>) => {
    setBusy(true);
    setTrouble('');
    try {
      await work();
    } catch (cause) {
      const { message } = cause as Error;
      setQuote(null);
      if (cause instanceof RequestFailed && cause.code === 'stay-changed-before') onOvertaken(message);
      else setTrouble(message);
    }
    setBusy(false);
  };
  const ask = () =>
    send(async () =>
      setQuote(await askAs<StayQuoteView>(scope, `${path}/stay/quote`, { method: 'POST', body })),
    );
  const change = ({ difference }: StayQuoteView) =>
    send(async () => {
      const agreed = Number(difference) > 0 ? { difference } : {};
      const why = reason === undefined ? {} : { reason };
      // As it was when this page was loaded.
      const expected: ExpectedStay = { roomTypeID, startDate, endDate, roomCount };
      const request = { method: 'PUT', body: { ...body, ...agreed, ...why, expected } } as const;
      onChanged(await askAs<ReservationView>(scope, `${path}/stay`, request));
    });
  return (
    <div class="wide">
      <StayForm
        asksGuests={false}
        stay={stay}
        onStay={(wanted) => {
          setStay(wanted);
          // The amount was for other dates or rooms.
          setQuote(null);
        }}
      />
      <p role="status" class={fault === '' ? '' : 'bad'}>
        {fault !== '' ? fault : quote !== null && quoteText(quote, messages)}
      </p>
      <div class="button-row wrap">
        {quote === null ? (
          <button
            type="button"
            class="main-button"
            disabled={busy || fault !== ''}
            onClick={() => void ask()}
          >
            {messages.showPrice}
          </button>
        ) : (
          <button type="button" class="main-button" disabled={busy} onClick={() => void change(quote)}>
            {Number(quote.difference) > 0 && scope === 'customer'
              ? messages.changeAndPay(moneyText(quote.difference, quote.currency))
              : messages.confirmChange}
          </button>
        )}
        <button type="button" class="main-button quiet" disabled={busy} onClick={onClose}>
          {messages.keepStay}
        </button>
      </div>
      {trouble !== '' && (
        <p class="bad wide" role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}
