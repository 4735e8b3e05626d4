import { randomUUID } from 'node:crypto';
import type { PspAnswer } from '../psp.js';
import type { DocumentPurpose, EvidenceField, PspDisputeAnswer, PspDocument } from '../psp-dispute.js';
import { fieldsOf, objectOf, readFailure, type StripeClient } from './stripe-client.js';

/** Stripe's names of what may be written. */
const textFields: Readonly<Record<EvidenceField, string>> = {
  explanation: 'uncategorized_text',
  product_description: 'product_description',
  service_date: 'service_date',
  refund_policy: 'refund_policy_disclosure',
  refund_refusal: 'refund_refusal_explanation',
  cancellation_policy: 'cancellation_policy_disclosure',
  cancellation_rebuttal: 'cancellation_rebuttal',
  access_log: 'access_activity_log',
  duplicate_charge: 'duplicate_charge_explanation',
};
const fileFields: Readonly<Record<DocumentPurpose, string>> = {
  receipt: 'receipt',
  communication: 'customer_communication',
  service: 'service_documentation',
  policy: 'refund_policy',
  other: 'uncategorized_file',
};
const extensions = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

/**
 * Uploads the documents, then submits all evidence in one request: Stripe passes it to the bank once. The
 * keys make repeated calls have one effect for a day; after that the dispute itself shows whether its
 * evidence was submitted.
 */
export async function answerStripeDispute(
  stripe: StripeClient,
  answer: PspDisputeAnswer,
): Promise<PspAnswer<'received'>> {
  const path = `/v1/disputes/${encodeURIComponent(answer.disputeId)}`;
  if (answer.kind === 'acceptance')
    return received(stripe, path, await stripe.post(`${path}/close`, {}, answer.nonce));
  const fields: Record<string, string> = { submit: 'true' };
  for (const [field, text] of Object.entries(answer.texts))
    fields[`evidence[${textFields[field as EvidenceField]}]`] = text;
  for (const document of answer.documents) {
    const file = await upload(stripe, document);
    if (file.kind !== 'known') return file;
    fields[`evidence[${fileFields[document.purpose]}]`] = file.value;
  }
  return received(stripe, path, await stripe.post(path, fields, answer.nonce));
}

/** A refusal may mean that an earlier call, whose answer was lost, has done it. */
async function received(
  stripe: StripeClient,
  path: string,
  reply: Awaited<ReturnType<StripeClient['post']>>,
): Promise<PspAnswer<'received'>> {
  if (objectOf(reply) !== undefined) return { kind: 'known', value: 'received' };
  const failure = readFailure(reply, true);
  if (failure.kind !== 'refused' || reply.kind !== 'reply' || reply.status !== 400) return failure;
  const dispute = objectOf(await stripe.get(path));
  const submitted = fieldsOf(dispute?.['evidence_details'])?.['submission_count'];
  const isOver = typeof submitted === 'number' && submitted > 0;
  return isOver || dispute?.['status'] === 'lost' ? { kind: 'known', value: 'received' } : failure;
}

async function upload(stripe: StripeClient, document: PspDocument): Promise<PspAnswer<string>> {
  const { contentType, purpose, bytes } = document;
  const boundary = `meridian-${randomUUID()}`;
  const text = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
  const body = Buffer.concat([
    text([`--${boundary}`, 'Content-Disposition: form-data; name="purpose"', '', 'dispute_evidence']),
    text([
      `--${boundary}`,
      `Content-Disposition: form-data; name="file"; filename="${purpose}.${extensions[contentType]}"`,
      `Content-Type: ${contentType}`,
      '',
    ]),
    bytes,
    text(['', `--${boundary}--`]),
  ]);
  const reply = await stripe.upload('/v1/files', body, `multipart/form-data; boundary=${boundary}`);
  const id = objectOf(reply)?.['id'];
  // A file that is uploaded again is another file, which nothing uses.
  if (typeof id !== 'string' || !/^[\w-]{1,255}$/.test(id)) return readFailure(reply, false);
  return { kind: 'known', value: id };
}
