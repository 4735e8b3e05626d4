import { useState } from 'preact/hooks';
import type { Payout } from '#schemas/http/payouts.js';
import { Shown } from '../hotel/frame.js';
import { moneyText, timeText } from '../hotel/texts.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { Wide } from '../hotel/wide.js';
import { messages } from './finance-messages.js';
import { payoutsPath } from './paths.js';
import { askAsPerson } from './person.js';

/**
 * Requests a payout, which a second person approves on the page of reviews, and shows the state of all
 * payouts.
 */
export function PayoutsPage({ person }: { readonly person: string }) {
  const [payouts, again] = useLoaded(person, () =>
    askAsPerson<{ payouts: Payout[] }>(person, `${payoutsPath}?limit=200`),
  );
  const [seller, setSeller] = useState('');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [trouble, setTrouble] = useState('');
  const [id, setId] = useState(() => crypto.randomUUID());
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    setTrouble('');
    try {
      const body = { payout_id: id, seller_info: { account: seller }, amount, currency: 'EUR', reason };
      await askAsPerson(person, payoutsPath, { method: 'POST', body, key: id }, 'payouts');
      setId(crypto.randomUUID());
      again();
    } catch (cause) {
      setTrouble((cause as Error).message);
    }
  };
  return (
    <section>
      <h2>{messages.payouts}</h2>
      <form class="card finding" onSubmit={(event) => void send(event)}>
        <div class="entry">
          <label class="field">
            <span>{messages.sellerAccount}</span>
            <input
              type="text"
              required
              maxLength={64}
              value={seller}
              onInput={(event) => setSeller(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>{messages.amountIn('EUR')}</span>
            <input
              type="text"
              inputMode="decimal"
              required
              maxLength={16}
              value={amount}
              onInput={(event) => setAmount(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>{messages.reason}</span>
            <input
              type="text"
              required
              maxLength={200}
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>
        </div>
        {trouble !== '' && (
          <p class="bad" role="alert">
            {trouble}
          </p>
        )}
        <div class="finance-buttons">
          <button type="submit" class="main-button">
            {messages.requestPayout}
          </button>
          <button type="button" class="main-button quiet" onClick={again}>
            {messages.refresh}
          </button>
        </div>
      </form>
      <Shown state={payouts}>
        {({ payouts: all }) =>
          all.length === 0 ? (
            <p class="muted">{messages.noPayouts}</p>
          ) : (
            <Wide label={messages.payouts}>
              <table class="table">
                <thead>
                  <tr>
                    {messages.payoutColumns.map((title) => (
                      <th key={title}>{title}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {all.map((payout) => (
                    <tr key={payout.payout_id}>
                      <td>{payout.seller_account}</td>
                      <td>{moneyText(payout.amount, payout.currency)}</td>
                      <td>
                        {messages.words(payout.payout_status)}
                        {payout.failure === null ? '' : `: ${payout.failure}`}
                      </td>
                      <td>{payout.requested_by}</td>
                      <td>{payout.reviewed_by ?? '–'}</td>
                      <td>{timeText(payout.created_at)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Wide>
          )
        }
      </Shown>
    </section>
  );
}
