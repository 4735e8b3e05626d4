import type { PinnedHttps } from './pinned-https.js';
import type { PspAnswer, PspOrder } from './psp.js';
import { type PspCard, type PspCardReference, pspCardOf } from './psp-card.js';
import { readDeleted, readKeptCard } from './read-answer.js';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a charge that say which card pays, and whether it is kept. */
export const cardFields = ({ cardToken, savedCard, keepCard, offSession }: PspOrder): object => ({
  ...(savedCard === undefined
    ? { card_token: cardToken ?? '' }
    : { card_token: savedCard.token, customer: savedCard.customer }),
  ...(keepCard === true && { save_card: true }),
  ...(offSession === true && { off_session: true }),
});

/** The payment itself names the card that it left behind. */
export const ownKeptCard = async (
  https: PinnedHttps,
  { nonce }: Pick<PspOrder, 'nonce'>,
): Promise<PspAnswer<PspCard>> =>
  readKeptCard(await https.call('GET', `/v1/payments/${encodeURIComponent(nonce)}`), nonce, cardOfOwn);

export function cardOfOwn(saved: unknown): PspCard | undefined {
  const { token, customer, brand, last4, expiry_month: expiryMonth } = (saved ?? {}) as Fields;
  return pspCardOf({ token, customer, brand, last4, expiryMonth });
}

export const deleteOwnCard = async (
  https: PinnedHttps,
  { token }: PspCardReference,
): Promise<PspAnswer<'deleted'>> =>
  readDeleted(await https.call('POST', `/v1/cards/${encodeURIComponent(token)}/delete`, {}));
