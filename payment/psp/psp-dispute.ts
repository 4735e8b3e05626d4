/** What a document shows. A dispute has at most one of each. */
export const documentPurposes = ['receipt', 'communication', 'service', 'policy', 'other'] as const;
export type DocumentPurpose = (typeof documentPurposes)[number];

export const documentTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type DocumentType = (typeof documentTypes)[number];

/** What may be written against a dispute, each as plain text. */
export const evidenceFields = [
  'explanation',
  'product_description',
  'service_date',
  'refund_policy',
  'refund_refusal',
  'cancellation_policy',
  'cancellation_rebuttal',
  'access_log',
  'duplicate_charge',
] as const;
export type EvidenceField = (typeof evidenceFields)[number];
export type EvidenceTexts = Readonly<Partial<Record<EvidenceField, string>>>;

export interface PspDocument {
  /** Equal bytes for one purpose of a dispute have equal ids. At most 64 characters. */
  readonly id: string;
  readonly purpose: DocumentPurpose;
  readonly contentType: DocumentType;
  readonly bytes: Uint8Array;
}

interface AboutDispute {
  /** The provider's id of the dispute. */
  readonly disputeId: string;
  /** Makes a repeated answer have one effect. */
  readonly nonce: string;
}

export type PspDisputeAnswer =
  | (AboutDispute & {
      readonly kind: 'evidence';
      readonly texts: EvidenceTexts;
      readonly documents: readonly PspDocument[];
    })
  /** The dispute is given up: the provider closes it as lost. */
  | (AboutDispute & { readonly kind: 'acceptance' });
