import { useState } from 'preact/hooks';
import type { Payout } from '#schemas/http/payouts.js';
import { Shown } from '../hotel/frame.js';
import { moneyText } from '../hotel/texts.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { payoutsPath } from './paths.js';
import { askAsPerson } from './person.js';

/**
 * Asks for a pay-out, which a second person approves on the page of reviews, and shows how all of them
 * stand.
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
      await askAsPerson(person, payoutsPath, { method: 'POST', body, key: id });
      setId(crypto.randomUUID());
      again();
    } catch (cause) {
      setTrouble((cause as Error).message);
    }
  };
  return (
    <section>
      <h2>Pay-outs</h2>
      <form class="card finding" onSubmit={(event) => void send(event)}>
        <div class="entry">
          <label class="field">
            <span>Seller account</span>
            <input
              type="text"
              required
              maxLength={64}
              value={seller}
              onInput={(event) => setSeller(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>Amount in EUR</span>
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
            <span>Reason</span>
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
            Ask for the pay-out
          </button>
          <button type="button" class="main-button quiet" onClick={again}>
            Look again
          </button>
        </div>
      </form>
      <Shown state={payouts}>
        {({ payouts: all }) => (
          <div class="scroll">
            <table class="table">
              <thead>
                <tr>
                  <th>Seller</th>
                  <th>Amount</th>
                  <th>State</th>
                  <th>Asked by</th>
                  <th>Agreed by</th>
                  <th>Since</th>
                </tr>
              </thead>
              <tbody>
                {all.map((payout) => (
                  <tr key={payout.payout_id}>
                    <td>{payout.seller_account}</td>
                    <td>{moneyText(payout.amount, payout.currency)}</td>
                    <td>
                      {payout.payout_status.replaceAll('_', ' ')}
                      {payout.failure === null ? '' : `: ${payout.failure}`}
                    </td>
                    <td>{payout.requested_by}</td>
                    <td>{payout.reviewed_by ?? '–'}</td>
                    <td>{new Date(payout.created_at).toLocaleString()}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
    </section>
  );
}
