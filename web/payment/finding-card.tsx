import { useState } from 'preact/hooks';
import type { Finding } from '#schemas/http/finance.js';
import { moneyText } from '../hotel/texts.js';
import * as messages from './finance-messages.js';
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
        <Fact name={messages.paymentOrder}>{finding.payment_order_id ?? '–'}</Fact>
        <Fact name={messages.operation}>{finding.operation ?? '–'}</Fact>
        <Fact name={messages.settlementLine}>
          {finding.file_id ?? '–'}
          {finding.line_no === null ? '' : `, ${finding.line_no}`}
        </Fact>
        <Fact name={messages.foundAt}>{new Date(finding.found_at).toLocaleString()}</Fact>
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

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
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
          <strong>{decision.who}</strong> · {decision.action}
          {entriesText(decision)} · {new Date(decision.at).toLocaleString()} · {messages.quoted(decision.why)}
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
