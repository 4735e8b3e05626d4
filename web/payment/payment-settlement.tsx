import { useState } from 'preact/hooks';
import type {
  PaymentSettlementBody,
  SettledLineBody,
  SettlementEntryBody,
} from '#schemas/http/finance-settlement.js';
import type { Payout } from '#schemas/http/payouts.js';
import { Shown } from '../hotel/frame.js';
import { moneyText, timeText } from '../hotel/texts.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { Wide } from '../hotel/wide.js';
import { ColumnHeads } from './column-heads.js';
import { messages } from './finance-messages.js';
import { movedText } from './moved-text.js';
import { financePaymentSettlementPathOf } from './paths.js';
import { askAsPerson } from './person.js';

interface Props {
  readonly id: string;
  readonly person: string;
}

/** Where the money of a payment went. On demand, because it reads whole settlement files. */
export function PaymentSettlement({ id, person }: Props) {
  const [isWanted, setWanted] = useState(false);
  return (
    <>
      <h3>{messages.settlement}</h3>
      {isWanted ? (
        <Settlement id={id} person={person} />
      ) : (
        <div class="finance-buttons">
          <button type="button" class="main-button quiet" onClick={() => setWanted(true)}>
            {messages.showSettlement}
          </button>
        </div>
      )}
    </>
  );
}

function Settlement({ id, person }: Props) {
  const [found] = useLoaded(`${person} ${id}`, () =>
    askAsPerson<PaymentSettlementBody>(person, financePaymentSettlementPathOf(id)),
  );
  return (
    <Shown state={found}>
      {({ lines, payouts, entries, has_more: hasMore }) => (
        <>
          {hasMore && <p class="muted">{messages.moreSettlement}</p>}
          {lines.length === 0 ? <p class="muted">{messages.notSettled}</p> : <Lines lines={lines} />}
          {payouts.length === 0 ? <p class="muted">{messages.notPaidOut}</p> : <Payouts payouts={payouts} />}
          {entries.length > 0 && <Entries entries={entries} />}
        </>
      )}
    </Shown>
  );
}

/** Columns of amounts. */
const lineNumbers: ReadonlySet<number> = new Set([2, 3]);
const payoutNumbers: ReadonlySet<number> = new Set([1]);

function Lines({ lines }: { readonly lines: readonly SettledLineBody[] }) {
  return (
    <Wide label={messages.settlementLine}>
      <table class="table">
        <ColumnHeads titles={messages.settledColumns} numbers={lineNumbers} />
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.file_no} ${line.line_no}`}>
              <td>
                {line.file_id} {line.line_no}
              </td>
              <td>{messages.lineKinds[line.kind] ?? messages.words(line.kind)}</td>
              <td class="number">{moneyText(line.amount, line.currency)}</td>
              <td class="number">{Number(line.fee) === 0 ? '' : moneyText(line.fee, line.currency)}</td>
              <td class="account">{line.payout_ids.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Payouts({ payouts }: { readonly payouts: readonly Payout[] }) {
  return (
    <Wide label={messages.payouts}>
      <table class="table">
        <ColumnHeads titles={messages.sellerPayoutColumns} numbers={payoutNumbers} />
        <tbody>
          {payouts.map((payout) => (
            <tr key={payout.payout_id}>
              <td class="account">{payout.payout_id}</td>
              <td class="number">{moneyText(payout.amount, payout.currency)}</td>
              <td>{messages.words(payout.payout_status)}</td>
              <td class="account">{payout.provider_reference ?? '–'}</td>
              <td>{timeText(payout.created_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

/** What the ledger has of the payouts of both kinds. */
function Entries({ entries }: { readonly entries: readonly SettlementEntryBody[] }) {
  return (
    <ol class="timeline">
      {entries.map((entry) => (
        <li key={`${entry.subject} ${entry.operation} ${entry.debit}`}>
          <time dateTime={entry.at}>{timeText(entry.at)}</time>
          <p>
            <strong>
              {messages.entryPhases[entry.phase] ?? entry.phase}: {messages.words(entry.kind)}
            </strong>{' '}
            {movedText(entry)}
          </p>
          <p class="muted">
            {entry.subject} · {entry.operation}
          </p>
        </li>
      ))}
    </ol>
  );
}
