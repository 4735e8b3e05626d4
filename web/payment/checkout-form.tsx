import { useEffect, useState } from 'preact/hooks';
import type { PaymentEvent } from '#schemas/http/payments.js';
import { askAs } from '../hotel/calls.js';
import { goTo } from '../hotel/use-address.js';
import { type Checkout, checkout, checkoutOf, type Line } from './checkout.js';
import { messages } from './messages.js';
import { paymentsPath } from './paths.js';

const linesMax = 5;
const firstLine: Line = { seller: 'DE89370400440532013000', amount: '10.00' };

/** Registers the payment and goes to the page of the provider; the card is never typed here. */
export function CheckoutForm() {
  const [buyer, setBuyer] = useState('Ada');
  const [lines, setLines] = useState<readonly Line[]>([firstLine]);
  const [made, setMade] = useState<{ readonly of: string; readonly checkout: Checkout } | null>(null);
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  // After the browser's back button, the page is in the state in which the buyer left it: busy.
  useEffect(() => {
    const cameBack = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false);
    addEventListener('pageshow', cameBack);
    return () => removeEventListener('pageshow', cameBack);
  }, []);
  const change = (at: number, to: Partial<Line>) =>
    setLines(lines.map((line, index) => (index === at ? { ...line, ...to } : line)));
  const pay = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setTrouble('');
    // The same key for another attempt, another key for any other request.
    const wanted = JSON.stringify([buyer, lines]);
    const current = made?.of === wanted ? made.checkout : checkoutOf(buyer, 'EUR', lines);
    setMade({ of: wanted, checkout: current });
    try {
      const answer = await askAs<PaymentEvent>('customer', paymentsPath, {
        method: 'POST',
        body: current.body,
        key: current.key,
      });
      checkout.keep(current);
      const page = answer.payment_orders.find(({ payment_page_url: url }) => url !== null)?.payment_page_url;
      if (typeof page === 'string') location.assign(page);
      else goTo('status');
    } catch (cause) {
      setTrouble((cause as Error).message);
      setBusy(false);
    }
  };
  return (
    <form class="card pay" onSubmit={(event) => void pay(event)}>
      <h2>{messages.checkout}</h2>
      <label class="field">
        <span>{messages.buyerName}</span>
        <input
          type="text"
          required
          maxLength={64}
          value={buyer}
          onInput={(event) => setBuyer(event.currentTarget.value)}
        />
      </label>
      {lines.map((line, at) => (
        <fieldset key={at} class="pay-line">
          <legend class="muted">{messages.order(at + 1)}</legend>
          <label class="field">
            <span>{messages.sellerAccount}</span>
            <input
              type="text"
              required
              maxLength={64}
              value={line.seller}
              onInput={(event) => change(at, { seller: event.currentTarget.value })}
            />
          </label>
          <label class="field">
            <span>{messages.amountIn('EUR')}</span>
            <input
              type="text"
              inputMode="decimal"
              required
              maxLength={16}
              value={line.amount}
              onInput={(event) => change(at, { amount: event.currentTarget.value })}
            />
          </label>
        </fieldset>
      ))}
      {lines.length < linesMax && (
        <button type="button" class="link-button" onClick={() => setLines([...lines, firstLine])}>
          {messages.addOrder}
        </button>
      )}
      {trouble !== '' && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      <button type="submit" class="main-button" disabled={busy}>
        {busy ? messages.loading : messages.payByCard}
      </button>
      <p class="muted">{messages.cardHint}</p>
    </form>
  );
}
