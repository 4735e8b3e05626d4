import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { hasAnyScope, type Identity } from '#platform/http/identity.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  deleteSavedCard,
  getSavedCard,
  getSavedCards,
  postBuyerErasure,
  type SavedCardBody,
} from '#schemas/http/saved-cards.js';
import { deleteCard } from '../cards/delete-card.js';
import { savedCardLimits } from '../cards/limits.js';
import { type CardsSeen, findCard, listCards, type SavedCard } from '../cards/saved-card.js';
import { accountsOf } from '../merchant/merchant-accounts.js';
import { eraseBuyer } from '../orders/erase-buyer.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { nextPage } from './page-of-sellers.js';

/** For a card of others, too. */
export const noCard = problem(problems.notFound, messages.noCard);

/** Buyers see their cards, services those of their buyers, merchants those of their seller accounts. */
export const savedCardRoutes = (service: PaymentService): readonly Route[] => {
  const { sql } = service;
  const deletion = ({ userId }: Identity) => ({ who: userId, now: new Date(service.submit.nowMs()) });
  const seenBy = async (identity: Identity): Promise<CardsSeen> => {
    const { userId } = identity;
    if (hasAnyScope(identity, ['service'])) return { caller: userId };
    if (hasAnyScope(identity, ['customer'])) return { caller: userId, buyerAccount: userId };
    return { sellers: await accountsOf(sql, userId) };
  };
  return [
    route(getSavedCards, ({ query, identity }) =>
      catchUnavailable(async () => {
        const { buyer_account: buyer, seller_account: seller, before } = query;
        const seen = await seenBy(identity);
        const isMerchant = 'sellers' in seen;
        const refused = isMerchant ? undefined : refusedBuyer(identity, buyer, '/query/buyer_account');
        if (refused !== undefined) return refused;
        if (isMerchant && seller !== undefined && !seen.sellers.includes(seller))
          return problem(problems.notFound, messages.noSellerAccount);
        const limit = query.limit ?? savedCardLimits.pageDefault;
        const cards = await listCards(sql, {
          seen: buyer === undefined ? seen : { ...seen, buyerAccount: buyer },
          limit,
          ...(seller === undefined ? {} : { sellerAccount: seller }),
          ...(before === undefined ? {} : { before: BigInt(before) }),
        });
        const next = nextPage(cards, limit, ({ cardNo }) => cardNo);
        return { status: 200, body: { cards: cards.map(cardJson), next } };
      }),
    ),
    route(getSavedCard, ({ params, identity }) =>
      catchUnavailable(async () => {
        const card = await findCard(sql, await seenBy(identity), params.card_id);
        return card === undefined ? noCard : { status: 200, body: cardJson(card) };
      }),
    ),
    route(deleteSavedCard, ({ params, identity }) =>
      catchUnavailable(async () => {
        const card = await deleteCard(sql, await seenBy(identity), params.card_id, deletion(identity));
        if (card === undefined) return noCard;
        service.wakeCards();
        service.wake();
        return { status: card.state === 'deleted' ? 200 : 202, body: cardJson(card) };
      }),
    ),
    route(postBuyerErasure, ({ body, identity }) =>
      catchUnavailable(async () => {
        const refused = refusedBuyer(identity, body.buyer_account, '/buyer_account');
        if (refused !== undefined) return refused;
        const buyer = { caller: identity.userId, buyerAccount: body.buyer_account ?? identity.userId };
        const erased = await eraseBuyer(sql, buyer, deletion(identity));
        service.wakeCards();
        service.wake();
        return { status: 200, body: { payment_events: erased.events, cards: erased.cards } };
      }),
    ),
  ];
};

/** A service names the buyer; a customer is the buyer. */
function refusedBuyer(
  identity: Identity,
  buyer: string | undefined,
  pointer: string,
): HttpAnswer | undefined {
  const isService = hasAnyScope(identity, ['service']);
  if (isService ? buyer !== undefined : buyer === undefined || buyer === identity.userId) return undefined;
  const message = isService ? messages.buyerRequired : messages.onlyYourself;
  return problem(problems.invalid, messages.badFields, { errors: [{ pointer, message }] });
}

const cardJson = (card: SavedCard): SavedCardBody => ({
  card_id: card.id,
  card_status: card.state,
  buyer_account: card.buyerAccount,
  seller_account: card.sellerAccount,
  brand: card.shown?.brand ?? null,
  last4: card.shown?.last4 ?? null,
  expiry_month: card.shown?.expiryMonth ?? null,
  payment_order_id: card.paymentOrderId,
  saved_at: card.keptAt.toISOString(),
  deleted_at: card.deletedAt?.toISOString() ?? null,
});
