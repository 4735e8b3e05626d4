import { useState } from 'preact/hooks';
import type { PaymentDeadLetter, PaymentDeadLetters } from '#schemas/http/finance.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { Shown } from '../hotel/frame.js';
import { moneyText, timeText } from '../hotel/texts.js';
import { addressOf } from '../hotel/use-address.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { messages } from './finance-messages.js';
import { PageButtons } from './page-buttons.js';
import { deadLettersPath, paymentPathOf, redrivePathOf } from './paths.js';
import { askAsPerson } from './person.js';

/**
 * Payments and refunds that a person should look at, newest first; on demand with those that were retried and
 * the failures that need nobody.
 */
export function DeadLetters({ person }: { readonly person: string }) {
  const [trouble, setTrouble] = useState('');
  const [isRetried, setRetried] = useState(false);
  const [which, setWhich] = useState<'open' | 'all'>('open');
  const [before, setBefore] = useState('');
  const [letters, again] = useLoaded(`${person} ${which}${before}`, () =>
    askAsPerson<PaymentDeadLetters>(person, `${deadLettersPath}?which=${which}${before}`),
  );
  /** Disabled until the list shows the retry, because a second click would be refused. */
  const [tried, setTried] = useState<readonly number[]>([]);
  const redrive = async (id: number) => {
    if (tried.includes(id)) return;
    setTried((before) => [...before, id]);
    setTrouble('');
    setRetried(false);
    try {
      await askAsPerson(person, redrivePathOf(id), { method: 'POST' });
      setRetried(true);
      again();
    } catch (cause) {
      setTried((before) => before.filter((each) => each !== id));
      setTrouble((cause as Error).message);
    }
  };
  return (
    <section>
      <h2>{messages.deadLetters}</h2>
      <label class="agree">
        <input
          type="checkbox"
          checked={which === 'all'}
          onChange={({ currentTarget: { checked } }) => {
            setWhich(checked ? 'all' : 'open');
            setBefore('');
          }}
        />
        <span>{messages.closedLettersToo}</span>
      </label>
      {isRetried && <p role="status">{messages.retriedNow}</p>}
      {trouble !== '' && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      <Shown state={letters}>
        {({ dead_letters: all, next }) =>
          all.length === 0 ? (
            <p class="muted">{messages.noDeadLetters}</p>
          ) : (
            <>
              <ul class="findings">
                {all.map((letter) => (
                  <Letter key={letter.id} letter={letter} person={person} onTry={redrive} />
                ))}
              </ul>
              <PageButtons
                onNewest={before === '' ? undefined : () => setBefore('')}
                onOlder={next === null ? undefined : () => setBefore(`&before=${next}`)}
              />
            </>
          )
        }
      </Shown>
    </section>
  );
}

interface LetterProps {
  readonly letter: PaymentDeadLetter;
  readonly person: string;
  readonly onTry: (id: number) => Promise<void>;
}

function Letter({ letter, person, onTry }: LetterProps) {
  const { id, kind, cause, subject_id: subject, attempts, at } = letter;
  const { redriven_at: triedAt, redriven_by: triedBy, new_payment_order_id: newOrder } = letter;
  return (
    <li class="card finding">
      <h3>
        {messages.letterKinds[kind]} · {messages.words(cause)}
      </h3>
      <p class="muted">
        {subject} · {messages.attempts(attempts)} · {timeText(at)}
      </p>
      {triedAt !== null && <p>{messages.retriedBy(triedBy ?? '', timeText(triedAt))}</p>}
      {kind === 'payment' && <Order id={subject} person={person} />}
      {newOrder !== null && (
        <p>
          {messages.newOrder} <a href={addressOf('payments', newOrder)}>{newOrder}</a>
        </p>
      )}
      {letter.can_redrive && (
        <div class="finance-buttons">
          <button type="button" class="main-button quiet" onClick={() => void onTry(id)}>
            {messages.retry}
          </button>
        </div>
      )}
    </li>
  );
}

function Order({ id, person }: { readonly id: string; readonly person: string }) {
  const [order] = useLoaded(`${person} ${id}`, () => askAsPerson<PaymentOrder>(person, paymentPathOf(id)));
  return (
    <Shown state={order}>
      {({ amount, currency, seller_account: seller, payment_order_status: status, failure_code: code }) => (
        <p>{messages.failedOrder(moneyText(amount, currency), seller, messages.statuses[status], code)}</p>
      )}
    </Shown>
  );
}
