import { randomBytes } from 'node:crypto';
import type { SqlSession } from '#platform/sql/sql.js';
import type { UsableCard } from './saved-card.js';

/** Letters alone, so that nothing in it looks like a number. */
const newCardId = (): string =>
  `card_${[...randomBytes(24)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')}`;

/** What a new payment event says of a saved card. */
export interface EventWithCard {
  readonly submission: {
    readonly checkoutId: string;
    readonly caller: string;
    readonly buyerAccount: string;
    readonly savedCard?: UsableCard;
    readonly keepsCard?: boolean;
    readonly orders: readonly { readonly id: string; readonly sellerAccount: string }[];
  };
  readonly decision: { readonly decision: 'allow' | 'review' | 'block' };
  readonly nowMs: number;
}

/** Whether anything about a saved card is stored with the payment event. */
export const hasCard = ({ submission: { savedCard, keepsCard } }: EventWithCard): boolean =>
  savedCard !== undefined || keepsCard === true;

/**
 * Stores which saved card pays a new payment event, or that its buyer agreed to keep one, in the transaction
 * that stores the event. Rejects with a check violation if the card cannot be used any more.
 */
export async function storeCards(
  tx: SqlSession,
  { submission, decision, nowMs }: EventWithCard,
): Promise<void> {
  const { checkoutId, caller, buyerAccount, savedCard, keepsCard, orders } = submission;
  if (savedCard !== undefined)
    await tx.query('INSERT INTO saved_card_payment (checkout_id, card_id) VALUES ($1, $2)', [
      checkoutId,
      savedCard.id,
    ]);
  const [order] = orders;
  if (keepsCard !== true || order === undefined || decision.decision === 'block') return;
  const at = new Date(nowMs);
  await tx.query(
    `INSERT INTO saved_card (card_id, payment_order_id, caller, buyer_account, seller_account, next_attempt_at, wanted_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [newCardId(), order.id, caller, buyerAccount, order.sellerAccount, at],
  );
}
