import { cardOfOwn } from './own-card.js';
import type { HttpsReply, PinnedHttps } from './pinned-https.js';
import type { PspAnswer } from './psp.js';
import type { PspCardPage, PspCardPageOrder } from './psp-card-page.js';
import { readReply, text } from './read-answer.js';
import type { ReturnUrls } from './return-urls.js';

type Fields = Readonly<Record<string, unknown>>;

const pathOf = (nonce: string): string => `/v1/card-pages/${encodeURIComponent(nonce)}`;

export const openOwnCardPage = async (
  https: PinnedHttps,
  { nonce, payments, totalMinor, currency, expiresMs }: PspCardPageOrder,
  { success, failure }: ReturnUrls,
): Promise<PspAnswer<PspCardPage>> =>
  readPage(
    await https.call('POST', '/v1/card-pages', {
      nonce,
      payments,
      amount_minor: totalMinor.toString(),
      currency,
      expires_at: new Date(expiresMs).toISOString(),
      success_url: success,
      failure_url: failure,
    }),
    nonce,
  );

export const ownCardPage = async (
  https: PinnedHttps,
  { nonce }: PspCardPageOrder,
): Promise<PspAnswer<PspCardPage>> => readPage(await https.call('GET', pathOf(nonce)), nonce);

export const closeOwnCardPage = async (
  https: PinnedHttps,
  { nonce }: PspCardPageOrder,
): Promise<PspAnswer<PspCardPage>> => readPage(await https.call('POST', `${pathOf(nonce)}/close`, {}), nonce);

const readPage = (reply: HttpsReply, nonce: string): PspAnswer<PspCardPage> =>
  readReply(reply, (fields) => pageOf(fields, nonce));

function pageOf(fields: Fields, nonce: string): PspCardPage | undefined {
  const reference = text(fields['reference']);
  const token = text(fields['token']);
  const pageUrl = text(fields['page_url']);
  if (fields['nonce'] !== nonce || reference === undefined || token === undefined) return undefined;
  const page = { nonce, reference, token };
  switch (fields['status']) {
    case 'open':
      return pageUrl === undefined ? undefined : { ...page, state: { kind: 'open', pageUrl } };
    case 'taken': {
      // Deleted meanwhile: there is nothing to charge with.
      if (fields['card'] === undefined) return { ...page, state: { kind: 'over' } };
      const card = cardOfOwn(fields['card']);
      return card === undefined ? undefined : { ...page, state: { kind: 'taken', card } };
    }
    case 'expired':
    case 'closed':
      return { ...page, state: { kind: 'over' } };
    default:
      return undefined;
  }
}
