import type { Answer } from '../answer.js';
import type { Call, Reply } from '../exchange.js';
import type { PspStore } from '../psp-store.js';
import type { SimulatedDispute } from '../record.js';
import { stripeDisputeJson } from './stripe-objects.js';

type Refuse = (code: string, param?: string) => Reply;

const textFields = new Set([
  'access_activity_log',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'duplicate_charge_explanation',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'uncategorized_text',
]);
const fileFields = new Set([
  'customer_communication',
  'receipt',
  'refund_policy',
  'service_documentation',
  'uncategorized_file',
]);

/** Evidence for a dispute, submitted with the request. */
export function updateDispute(
  id: string,
  fields: Readonly<Record<string, string>>,
  book: PspStore,
  refuse: Refuse,
): Reply {
  const texts: Record<string, string> = {};
  const documents: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const field = /^evidence\[(\w+)\]$/.exec(name)?.[1] ?? '';
    if (textFields.has(field)) texts[field] = value;
    else if (fileFields.has(field)) documents[field] = value;
    else if (name !== 'submit') return refuse('parameter_unknown', name);
  }
  if (fields['submit'] !== 'true') return refuse('parameter_missing', 'submit');
  const nonce = JSON.stringify([texts, documents]);
  return shown(book.answerDispute(id, { nonce, texts, documents }), refuse);
}

export const closeStripeDispute = (id: string, book: PspStore, refuse: Refuse): Reply =>
  shown(book.acceptDispute(id), refuse);

export function showDispute(id: string, book: PspStore, refuse: Refuse): Reply {
  const dispute = book.disputes.get(id);
  return dispute === undefined
    ? refuse('resource_missing', 'dispute')
    : { status: 200, body: stripeDisputeJson(dispute) };
}

/** A second upload is a second file. */
export function keepStripeFile(body: Call['body'], book: PspStore, refuse: Refuse): Reply {
  const { purpose, file } = body;
  if (purpose !== 'dispute_evidence') return refuse('parameter_missing', 'purpose');
  if (typeof file !== 'object' || file === null || !('bytes' in file) || !('contentType' in file))
    return refuse('parameter_missing', 'file');
  const kept = book.keepFile(book.newId('file'), String(file.contentType), file.bytes as Uint8Array);
  if (!kept.ok) return refuse(kept.code);
  const { id, size } = kept.value;
  return { status: 200, body: { id, object: 'file', purpose, size, type: String(file.contentType) } };
}

const shown = (answer: Answer<SimulatedDispute>, refuse: Refuse): Reply =>
  answer.ok
    ? { status: 200, body: stripeDisputeJson(answer.value) }
    : refuse(answer.code === 'unknown_dispute' ? 'resource_missing' : 'dispute_not_answerable', 'dispute');
