import type { PspCardReference } from '../psp/psp-card.js';

/** What a payment event says of its card; stored as the JSON `credit_card_info`. */
export interface CardOfPayment {
  readonly cardToken: string | undefined;
  readonly savedCard: PspCardReference | undefined;
  /** The saved card was deleted: the payment has no card any more. */
  readonly isDeleted: boolean;
  readonly keepCard: boolean;
  readonly offSession: boolean;
}

const none: CardOfPayment = {
  cardToken: undefined,
  savedCard: undefined,
  isDeleted: false,
  keepCard: false,
  offSession: false,
};

export function cardOfPayment(info: unknown): CardOfPayment {
  if (typeof info !== 'string') return none;
  const {
    token,
    saved_card_id: savedCardId,
    reference,
    save,
    off_session: offSession,
  } = JSON.parse(info) as StoredCard;
  return {
    cardToken: token,
    savedCard: reference,
    isDeleted: savedCardId !== undefined && reference === undefined,
    keepCard: save === true,
    offSession: offSession === true,
  };
}

/**
 * With the card of a page, if that is what pays the order. An order in the place of a declined one has
 * another card than that.
 */
export function cardOfOrder(info: unknown, pageCard: unknown, isFollower: boolean): CardOfPayment {
  const card = cardOfPayment(info);
  if (typeof pageCard === 'string') return { ...card, savedCard: JSON.parse(pageCard) as PspCardReference };
  return isFollower ? { ...none, keepCard: card.keepCard } : card;
}

/** The provider's names of a saved card are in `reference`, which no caller can send. */
interface StoredCard {
  readonly token?: string;
  readonly saved_card_id?: string;
  readonly save?: boolean;
  readonly off_session?: boolean;
  readonly reference?: PspCardReference;
}

/** With the provider's names of the saved card. */
export const withReference = (info: string, { token, customer }: PspCardReference): string =>
  JSON.stringify({ ...(JSON.parse(info) as object), reference: { token, customer } });
