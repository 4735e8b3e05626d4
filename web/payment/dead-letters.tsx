import { useState } from 'preact/hooks';
import type { PaymentDeadLetter } from '#schemas/http/finance.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { Shown } from '../hotel/frame.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { deadLettersPath, paymentPathOf, redrivePathOf } from './paths.js';
import { askAsPerson } from './person.js';

/** What was given up, for people to look at; a refund can be tried again. */
export function DeadLetters({ person }: { readonly person: string }) {
  const [trouble, setTrouble] = useState('');
  const [letters, again] = useLoaded(person, () =>
    askAsPerson<{ dead_letters: PaymentDeadLetter[] }>(person, `${deadLettersPath}?which=all`),
  );
  /** Until the list says so itself: a second click would be told that it was tried already. */
  const [tried, setTried] = useState<readonly number[]>([]);
  const redrive = async (id: number) => {
    if (tried.includes(id)) return;
    setTried((before) => [...before, id]);
    setTrouble('');
    try {
      await askAsPerson(person, redrivePathOf(id), { method: 'POST' });
      again();
    } catch (cause) {
      setTried((before) => before.filter((each) => each !== id));
      setTrouble((cause as Error).message);
    }
  };
  return (
    <section>
      <h2>Dead letters</h2>
      {trouble !== '' && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      <Shown state={letters}>
        {({ dead_letters: all }) =>
          all.length === 0 ? (
            <p class="muted">Nothing was given up.</p>
          ) : (
            <ul class="findings">
              {all.map((letter) => (
                <li key={letter.id} class="card finding">
                  <h3>
                    {letter.kind} · {letter.cause.replaceAll('_', ' ')}
                  </h3>
                  <p class="muted">
                    {letter.subject_id} · {letter.attempts} tries · {new Date(letter.at).toLocaleString()}
                  </p>
                  {letter.redriven_at !== null && (
                    <p>
                      Tried again by <strong>{letter.redriven_by}</strong>,{' '}
                      {new Date(letter.redriven_at).toLocaleString()}
                    </p>
                  )}
                  {letter.kind === 'payment' && <Order id={letter.subject_id} person={person} />}
                  {letter.kind === 'refund' && letter.redriven_at === null && (
                    <div class="finance-buttons">
                      <button type="button" class="main-button quiet" onClick={() => void redrive(letter.id)}>
                        Try again
                      </button>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}

function Order({ id, person }: { readonly id: string; readonly person: string }) {
  const [order] = useLoaded(`${person} ${id}`, () => askAsPerson<PaymentOrder>(person, paymentPathOf(id)));
  return (
    <Shown state={order}>
      {({ amount, currency, seller_account: seller, payment_order_status: status, failure_code: code }) => (
        <p>
          {amount} {currency} to {seller}: {status}
          {code === null ? '' : `, ${code.replaceAll('_', ' ')}`}. It is final; a new order pays it.
        </p>
      )}
    </Shown>
  );
}
