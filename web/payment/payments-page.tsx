import { useState } from 'preact/hooks';
import type { FinancePaymentBody } from '#schemas/http/finance-payments.js';
import { Shown } from '../hotel/frame.js';
import { moneyText, timeText } from '../hotel/texts.js';
import { addressOf } from '../hotel/use-address.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { Wide } from '../hotel/wide.js';
import { ColumnHeads } from './column-heads.js';
import { messages } from './finance-messages.js';
import { PageButtons } from './page-buttons.js';
import { financePaymentsPath } from './paths.js';
import { PaymentFilters } from './payment-filters.js';
import { addressQuery, type PaymentSearch, requestQuery, searchOf } from './payment-search.js';
import { PaymentState } from './payment-state.js';
import { askAsPerson } from './person.js';

interface Page {
  readonly payments: readonly FinancePaymentBody[];
  readonly next: string | null;
}

/** Payments of all sellers, newest first. What they are searched by is in the address. */
export function PaymentsPage({ person }: { readonly person: string }) {
  const [search, setSearch] = useState(() => searchOf(location.hash));
  const [after, setAfter] = useState<string>();
  const query = requestQuery(search);
  const from = after === undefined ? '' : `&after=${after}`;
  const [page] = useLoaded(`${person} ${query}${from}`, () =>
    askAsPerson<Page>(person, `${financePaymentsPath}?${query}${from}`),
  );
  const searchFor = (wanted: PaymentSearch) => {
    const part = addressQuery(wanted);
    history.replaceState(null, '', addressOf('payments') + (part === '' ? '' : `?${part}`));
    setAfter(undefined);
    setSearch(wanted);
  };
  return (
    <section>
      <h2>{messages.payments}</h2>
      <PaymentFilters search={search} onSearch={searchFor} />
      <Shown state={page}>
        {({ payments, next }) => (
          <>
            {payments.length === 0 ? (
              <p class="muted">{noneText(query, next)}</p>
            ) : (
              <PaymentTable payments={payments} />
            )}
            <PageButtons
              onNewest={after === undefined ? undefined : () => setAfter(undefined)}
              onOlder={next === null ? undefined : () => setAfter(next)}
            />
          </>
        )}
      </Shown>
    </section>
  );
}

function noneText(query: string, next: string | null): string {
  if (next !== null) return messages.noPaymentsSoFar;
  return query === '' ? messages.noPaymentsYet : messages.noPayments;
}

/** Columns of amounts. */
const numbers: ReadonlySet<number> = new Set([1, 5, 6]);

const isZero = (amount: string): boolean => Number(amount) === 0;

function PaymentTable({ payments }: { readonly payments: readonly FinancePaymentBody[] }) {
  return (
    <Wide label={messages.payments}>
      <table class="table">
        <ColumnHeads titles={messages.paymentColumns} numbers={numbers} />
        <tbody>
          {payments.map((payment) => {
            const { payment_order_id: id, currency } = payment;
            const part = (amount: string) => (isZero(amount) ? '' : moneyText(amount, currency));
            return (
              <tr key={id}>
                <td>
                  <a href={addressOf('payments', id)}>{timeText(payment.created_at)}</a>
                </td>
                <td class="number">{moneyText(payment.amount, currency)}</td>
                <td>
                  <PaymentState payment={payment} />
                </td>
                <td class="account">{payment.seller_account}</td>
                <td class="account">{payment.buyer_account}</td>
                <td class="number">{part(payment.refunded_amount)}</td>
                <td class="number">{part(payment.disputed_amount)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Wide>
  );
}
