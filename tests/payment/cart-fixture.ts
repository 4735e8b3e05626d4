import { proveMoney } from '#payment/reconciliation/prove-money.js';
import type { RecordLine, SimulatedCard } from '#payment-simulator/record.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { browsePage, type PageAnswer } from '../browse-page.js';
import { eventually } from '../eventually.js';
import { iban, type OrdersRoom } from './orders-fixture.js';

export const sellers = [iban, 'FR7630006000011234567890189', 'NL91ABNA0417164300'] as const;
export const cards = {
  good: '4242424242424242',
  challenge: '4000000000003220',
  laterDeclined: '4000000000000341',
  laterChallenge: '4000000000003006',
  /** Up to 20.00 for each payment. */
  littleFunds: '4000000000009912',
} as const;

/** Where the buyer's browser is, and what the provider really did. */
export interface ProviderSide {
  readonly certificate: () => string;
  readonly lines: () => Promise<readonly RecordLine[]>;
}

/** What a cart needs of the payment program. */
export type CartRoom = Pick<OrdersRoom, 'sql' | 'body' | 'post' | 'get' | 'count' | 'ledgerTransfers'>;

/** A buyer with a cart, whose orders are paid on one page. */
export class Cart {
  readonly #room: CartRoom;
  readonly #side: ProviderSide;
  readonly checkoutId: string;
  readonly status: number;
  /** As they were submitted. */
  readonly ids: readonly string[];
  readonly firstPage: string | undefined;

  private constructor(room: CartRoom, side: ProviderSide, status: number, event: PaymentEvent) {
    this.#room = room;
    this.#side = side;
    this.status = status;
    this.checkoutId = event.checkout_id;
    this.ids = event.payment_orders.map(({ payment_order_id: id }) => id);
    this.firstPage = event.payment_orders[0]!.payment_page_url ?? undefined;
  }

  static async submit(
    room: CartRoom,
    side: ProviderSide,
    amounts: readonly string[] = ['10.00', '20.00', '30.00'],
    { token = 'customer.ada', ...extra }: { readonly token?: string } & Record<string, unknown> = {},
  ): Promise<Cart> {
    const orders = amounts.map((amount, at) => ({ amount, seller_account: sellers[at % sellers.length]! }));
    const response = await room.post(room.body(orders, { one_page: true, ...extra }), { token });
    const event = (await response.json()) as PaymentEvent;
    if (event.payment_orders === undefined) throw new Error(JSON.stringify(event));
    return new Cart(room, side, response.status, event);
  }

  /** What the buyer's browser does on a page of the provider. */
  browse(url: string, form?: Readonly<Record<string, string>>): Promise<PageAnswer> {
    return browsePage(url, this.#side.certificate(), form);
  }

  type = (url: string, number: string = cards.good) => this.browse(url, { number, expiry: '12/30' });

  get = (id: string): Promise<PaymentOrder> => this.#room.get(id);

  /** The orders in whose places others are, with those. */
  async chain(id: string): Promise<readonly PaymentOrder[]> {
    const order = await this.get(id);
    return order.retried_by === null ? [order] : [order, ...(await this.chain(order.retried_by))];
  }

  async latest(): Promise<readonly PaymentOrder[]> {
    const chains = await Promise.all(this.ids.map((id) => this.chain(id)));
    return chains.map((chain) => chain.at(-1)!);
  }

  until(wanted: (orders: readonly PaymentOrder[]) => boolean): Promise<readonly PaymentOrder[]> {
    return eventually(async () => {
      const orders = await this.latest();
      if (!wanted(orders)) throw new Error(`still ${JSON.stringify(orders, undefined, 1)}`);
      return orders;
    });
  }

  /** The page that the orders wait for now. */
  async page(): Promise<string> {
    const orders = await this.until((all) => all.some((one) => one.payment_page_url !== null));
    return orders.find((one) => one.payment_page_url !== null)!.payment_page_url!;
  }

  async isDone(): Promise<boolean> {
    const { rows } = await this.#room.sql.query<{ is_payment_done: boolean }>(
      'SELECT is_payment_done FROM payment_events WHERE checkout_id = $1',
      [this.checkoutId],
    );
    return rows[0]!.is_payment_done;
  }

  /** How often the provider took money in the place of an order, by its own record. */
  async charges(id: string): Promise<number> {
    const ids = new Set((await this.chain(id)).map((order) => order.payment_order_id));
    const captured = new Set<string>();
    for (const line of await this.#side.lines())
      if (line.kind === 'payment' && line.payment.status === 'captured')
        if (ids.has(line.payment.stripe?.metadata['nonce'] ?? line.payment.nonce))
          captured.add(line.payment.nonce);
    return captured.size;
  }

  /**
   * Everything is over: each order was charged as often as it succeeded, once at most, the books agree,
   * and no card is left, here or at the provider.
   */
  async endsWell(): Promise<readonly PaymentOrder[]> {
    const orders = await this.until((all) => all.every(isOver));
    const { sql } = this.#room;
    await eventually(async () => {
      const { rows } = await sql.query(
        `SELECT page_id, state, card_token, customer, page_url, failure FROM payment_card_page
         WHERE checkout_id = $1 AND (state <> 'ended' OR card_token IS NOT NULL OR customer IS NOT NULL)`,
        [this.checkoutId],
      );
      if (rows.length > 0 || !(await this.isDone())) throw new Error(`still ${JSON.stringify(rows)}`);
    });
    const kept = await this.#room.count(
      'SELECT count(*) AS n FROM payment_orders WHERE checkout_id = $1 AND page_card IS NOT NULL',
      [this.checkoutId],
    );
    if (kept > 0) throw new Error('An order still names a card.');
    const left = (await providersCards(this.#side)).filter(({ deletedMs }) => deletedMs === undefined);
    if (left.length > 0) throw new Error(`The provider still keeps ${JSON.stringify(left)}`);
    for (const id of this.ids) {
      const chain = await this.chain(id);
      const paid = chain.filter((order) => order.payment_order_status === 'SUCCESS');
      const charges = await this.charges(id);
      if (paid.length > 1 || charges !== paid.length)
        throw new Error(`charged ${charges} times: ${JSON.stringify(chain)}`);
      for (const order of chain) {
        const posted = await this.#room.ledgerTransfers(order.payment_order_id);
        if (posted !== (order.payment_order_status === 'SUCCESS' ? 1 : 0))
          throw new Error(`posted ${posted} times: ${JSON.stringify(order)}`);
      }
    }
    const proof = await proveMoney(sql);
    if (proof.unproven !== 0n || proof.walletsWrong !== 0n || proof.ledgerSum !== 0n)
      throw new Error(`The books do not agree: ${JSON.stringify(proof, (_, v) => String(v))}`);
    return orders;
  }
}

const isOver = (order: PaymentOrder): boolean =>
  order.is_final &&
  (order.payment_order_status === 'FAILED' || (order.ledger_updated && order.wallet_updated));

export async function providersCards({ lines }: ProviderSide): Promise<readonly SimulatedCard[]> {
  const last = new Map<string, SimulatedCard>();
  for (const line of await lines()) if (line.kind === 'card') last.set(line.card.token, line.card);
  return [...last.values()];
}
