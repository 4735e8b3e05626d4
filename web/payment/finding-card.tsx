import { useState } from 'preact/hooks';
import type { Finding } from '#schemas/http/finance.js';
import { moneyText, timeText } from '../hotel/texts.js';
import { addressOf } from '../hotel/use-address.js';
import { Fact } from './fact.js';
import { messages } from './finance-messages.js';
import { approvalPathOf, decisionsPathOf, reversalPathOf } from './paths.js';
import { askAsPerson } from './person.js';

interface Props {
  readonly finding: Finding;
  readonly person: string;
  readonly onDecided: () => void;
}

/** One mismatch: what both sides report, the decisions with their authors, and the possible next steps. */
export function FindingCard({ finding, person, onDecided }: Props) {
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async (path: string, body?: object) => {
    // A second click would be refused, because the finding is decided.
    if (busy) return;
    setBusy(true);
    setTrouble('');
    try {
      await askAsPerson(person, path, { method: 'POST', ...(body === undefined ? {} : { body }) });
      onDecided();
    } catch (cause) {
      setTrouble((cause as Error).message);
      setBusy(false);
    }
  };
  const amount = (text: string | null, currency: string | null = null) =>
    text === null ? '–' : moneyText(text, currency ?? finding.currency);
  return (
    <li class="card finding">
      <h3>
        {messages.words(finding.kind)}{' '}
        <span class={`class-${finding.class}`}>· {messages.findingClass(finding.class)}</span>
      </h3>
      <dl>
        <Fact name={messages.providerAmount}>{amount(finding.psp_amount)}</Fact>
        <Fact name={messages.ourAmount}>{amount(finding.our_amount, finding.our_currency)}</Fact>
        <Fact name={messages.paymentOrder}>
          <PaymentLink id={finding.payment_order_id} />
        </Fact>
        <Fact name={messages.operation}>{finding.operation ?? '–'}</Fact>
        <Fact name={messages.settlementLine}>
          {finding.file_id ?? '–'}
          {finding.line_no === null ? '' : `, ${finding.line_no}`}
        </Fact>
        <Fact name={messages.foundAt}>{timeText(finding.found_at)}</Fact>
      </dl>
      <Decisions finding={finding} onSend={send} />
      {finding.state === 'open' && <DecisionForm finding={finding} onSend={send} />}
      {trouble !== '' && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
    </li>
  );
}

/** A mismatch may name a payment of the provider that we do not have: its page says so. */
function PaymentLink({ id }: { readonly id: string | null }) {
  return id === null ? <>–</> : <a href={addressOf('payments', id)}>{id}</a>;
}

type Entry = NonNullable<Finding['decisions'][number]['entry']>;
const entryText = ({ amount, currency, credit, debit }: Entry): string =>
  messages.entry(moneyText(amount, currency), credit, debit);

const entriesText = ({ entry, converted }: Finding['decisions'][number]): string =>
  [entry, converted].map((one) => (one === null ? '' : `, ${entryText(one)}`)).join('');

type Send = (path: string, body?: object) => Promise<void>;

function Decisions({ finding, onSend }: { readonly finding: Finding; readonly onSend: Send }) {
  if (finding.decisions.length === 0) return null;
  return (
    <ul class="decisions">
      {finding.decisions.map((decision) => (
        <li key={decision.decision_no}>
          <strong>{decision.who}</strong> · {messages.actions[decision.action]}
          {entriesText(decision)} · {timeText(decision.at)} · {messages.quoted(decision.why)}
          {decision.second_who !== null && (
            <>
              {' '}
              · {messages.approvedBy} <strong>{decision.second_who}</strong>
            </>
          )}
          {decision.needs_second && decision.second_who === null && (
            <button
              type="button"
              class="main-button quiet"
              onClick={() => void onSend(approvalPathOf(decision.decision_no))}
            >
              {messages.approveAsSecond}
            </button>
          )}
          {finding.state === 'settled' && decision.action === 'adjust' && (
            <button
              type="button"
              class="link-button"
              onClick={() => void onSend(reversalPathOf(decision.decision_no), { why: messages.reversed })}
            >
              {messages.reverse}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function DecisionForm({ finding, onSend }: { readonly finding: Finding; readonly onSend: Send }) {
  const [proposed, converted] = finding.proposal;
  const [entry, setEntry] = useState({
    debit: proposed?.debit ?? `settlement-difference:${finding.currency}`,
    credit: proposed?.credit ?? `psp-suspense:${finding.currency}`,
    amount: finding.entry_amount,
    currency: finding.entry_currency,
  });
  const [why, setWhy] = useState('');
  const field = (name: 'debit' | 'credit' | 'amount', label: string) => (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        required
        maxLength={96}
        value={entry[name]}
        onInput={(event) => setEntry({ ...entry, [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSend(decisionsPathOf(finding.finding_no), {
          entry,
          ...(converted === undefined ? {} : { converted }),
          why,
        });
      }}
    >
      <div class="entry">
        {field('debit', messages.debit)}
        {field('credit', messages.credit)}
        {field('amount', messages.amountIn(finding.entry_currency))}
      </div>
      {converted !== undefined && <p>{messages.together(entryText(converted))}</p>}
      <label class="field">
        <span>{messages.reason}</span>
        <input
          type="text"
          required
          maxLength={1_000}
          value={why}
          onInput={(event) => setWhy(event.currentTarget.value)}
        />
      </label>
      <div class="finance-buttons">
        <button type="submit" class="main-button">
          {messages.postEntry}
        </button>
        <button
          type="button"
          class="main-button quiet"
          disabled={why.trim() === ''}
          onClick={() => void onSend(decisionsPathOf(finding.finding_no), { why })}
        >
          {messages.dismiss}
        </button>
      </div>
    </form>
  );
}
