import type { HttpsReply, PinnedHttps } from './pinned-https.js';
import type { PspAnswer } from './psp.js';
import type { PspDisputeAnswer } from './psp-dispute.js';
import { readReceived } from './read-answer.js';

/**
 * An answer in our own protocol: each document first, then the texts with the ids of the documents. Only the
 * last call changes the dispute.
 */
export async function answerOwnDispute(
  https: PinnedHttps,
  answer: PspDisputeAnswer,
): Promise<PspAnswer<'received'>> {
  const path = `/v1/disputes/${encodeURIComponent(answer.disputeId)}`;
  const post = (to: string, body: object): Promise<HttpsReply> => https.call('POST', to, body);
  if (answer.kind === 'acceptance')
    return readReceived(await post(`${path}/acceptance`, { nonce: answer.nonce }));
  for (const { id, purpose, contentType, bytes } of answer.documents) {
    const document = { nonce: id, purpose, content_type: contentType, base64: toBase64(bytes) };
    const kept = readReceived(await post(`${path}/documents`, document));
    if (kept.kind !== 'known') return kept;
  }
  const documents = answer.documents.map(({ id }) => id);
  return readReceived(
    await post(`${path}/evidence`, { nonce: answer.nonce, texts: answer.texts, documents }),
  );
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
