import { useEffect, useState } from 'preact/hooks';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { askAs } from '../hotel/calls.js';
import { moneyText } from '../hotel/texts.js';
import { addressOf } from '../hotel/use-address.js';
import { ask } from '../http/ask.js';
import { poll } from '../http/poll.js';
import { Skeleton } from '../ui/skeleton.js';
import { checkout } from './checkout.js';
import { messages } from './messages.js';
import { paymentPathOf, returnPath } from './paths.js';

const askEveryMs = 500;

function stateText(order: PaymentOrder): string {
  if (order.refunded_amount !== '0.00' && order.payment_order_status === 'SUCCESS')
    return messages.paidAndRefunded(moneyText(order.refunded_amount, order.currency));
  if (order.payment_order_status === 'SUCCESS') return messages.paid;
  if (order.payment_order_status === 'FAILED' && order.is_final) return messages.failed(reasonOf(order));
  return order.pending === null ? messages.starting : messages.pending[order.pending];
}

/** Polled until every order has ended; the return of the browser proves nothing. */
export function StatusPage() {
  const [orders, setOrders] = useState<readonly Shown[] | null>(null);
  const [trouble, setTrouble] = useState('');
  const current = checkout.get();
  useEffect(() => {
    if (current === null) return undefined;
    const ids = current.body.payment_orders.map(({ payment_order_id: id }) => id);
    const stop = poll(
      askEveryMs,
      async (signal) => {
        const news: Shown[] = [];
        for (const id of ids) news.push(await latestOf(id, signal));
        setOrders(news);
        setTrouble('');
        if (news.every(({ order }) => isOver(order))) stop();
      },
      (cause) => setTrouble((cause as Error).message),
    );
    return stop;
  }, [current?.key]);
  if (current === null)
    return (
      <p>
        {messages.nothingToPay} <a href={addressOf('checkout')}>{messages.goToCheckout}</a>
      </p>
    );
  return (
    <section class="card pay">
      <h2>{messages.payment}</h2>
      {trouble !== '' && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      {orders === null && trouble === '' && <Skeleton text={messages.loading} />}
      <ul class="pay-orders" aria-live="polite">
        {orders?.map(({ order, declined }, at) => (
          <li key={order.payment_order_id} class="pay-order">
            <p class="headline">
              <strong>{moneyText(order.amount, order.currency)}</strong>
              <span class="muted">{order.seller_account}</span>
            </p>
            <p role="status" class={order.payment_order_status === 'FAILED' && order.is_final ? 'bad' : ''}>
              {stateText(order)}
            </p>
            {declined !== null && <p class="bad">{messages.declinedBefore(declined)}</p>}
            {(order.pending === 'buyer' || order.pending === 'challenge') &&
              order.payment_page_url !== null &&
              isFirstWith(order.payment_page_url, orders, at) && (
                <a class="main-button" href={order.payment_page_url}>
                  {order.pending === 'challenge'
                    ? messages.confirmAtBank
                    : declined === null
                      ? messages.payByCard
                      : messages.payRestByCard}
                </a>
              )}
            <p class="muted">{messages.booked(order.ledger_updated, order.wallet_updated)}</p>
          </li>
        ))}
      </ul>
      <a class="link-button" href={addressOf('checkout')} onClick={() => checkout.clear()}>
        {messages.anotherPayment}
      </a>
    </section>
  );
}

/** An order, or the one in its place after its card was declined. */
interface Shown {
  readonly order: PaymentOrder;
  readonly declined: string | null;
}

async function latestOf(id: string, signal: AbortSignal): Promise<Shown> {
  const order = await askAs<PaymentOrder>('customer', paymentPathOf(id), { signal });
  if (order.retried_by === null) return { order, declined: null };
  const { order: latest, declined } = await latestOf(order.retried_by, signal);
  return { order: latest, declined: declined ?? reasonOf(order) };
}

const reasonOf = ({ failure_code: code }: PaymentOrder): string => messages.reason(code ?? 'failed');

/** Several orders that wait for one page have one button. */
const isFirstWith = (url: string, all: readonly Shown[], at: number): boolean =>
  all.findIndex(({ order }) => order.payment_page_url === url) === at;

function isOver(order: PaymentOrder): boolean {
  if (!order.is_final) return false;
  return order.payment_order_status === 'FAILED' || (order.ledger_updated && order.wallet_updated);
}

/**
 * After the return from the provider, the state is queried now. The address is ignored, because anyone could
 * write it.
 */
export async function backFromProvider(): Promise<void> {
  const token = new URLSearchParams(location.search).get('tokenID');
  if (token === null) return;
  history.replaceState(null, '', `${location.pathname}${addressOf('status')}`);
  await ask(`${returnPath}?tokenID=${encodeURIComponent(token)}`).catch(() => {});
}
