import { createHash } from 'node:crypto';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { DocumentPurpose, DocumentType, PspDocument } from '../psp/psp-dispute.js';
import type { SellersSeen } from '../sellers/sellers-seen.js';
import { isAnswered, lockOpenDispute, type NotAnswerable } from './open-dispute.js';

export interface NewDocument {
  readonly disputeId: string;
  readonly sellers: SellersSeen;
  readonly purpose: DocumentPurpose;
  readonly contentType: DocumentType;
  readonly bytes: Uint8Array;
  readonly who: string;
  readonly now: Date;
}

const beginnings: Readonly<Record<DocumentType, string>> = {
  'application/pdf': '255044462d',
  'image/png': '89504e470d0a1a0a',
  'image/jpeg': 'ffd8ff',
};

/** Whether the bytes begin as files of this type do. */
export const isOfType = (bytes: Uint8Array, type: DocumentType): boolean =>
  Buffer.from(bytes.subarray(0, 8)).toString('hex').startsWith(beginnings[type]);

/**
 * Stores a document of a dispute until it is answered. There is one for each purpose: another file replaces
 * the one before, and the same file again has no effect.
 */
export async function putDocument(
  sql: Sql,
  { disputeId, sellers, purpose, contentType, bytes, who, now }: NewDocument,
): Promise<'stored' | 'repeated' | 'answered' | NotAnswerable> {
  const sha256 = createHash('sha256').update(bytes).digest();
  return sql.transaction(async (tx) => {
    const dispute = await lockOpenDispute(tx, { disputeId, sellers, now });
    if (typeof dispute === 'string') return dispute;
    if (await isAnswered(tx, disputeId)) return 'answered';
    const { rowCount } = await tx.query(
      `INSERT INTO dispute_document AS d
         (dispute_id, purpose, content_type, sha256, size, bytes, added_by, added_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (dispute_id, purpose) DO UPDATE SET content_type = excluded.content_type,
         sha256 = excluded.sha256, size = excluded.size, bytes = excluded.bytes,
         added_by = excluded.added_by, added_at = excluded.added_at
       WHERE (d.sha256, d.content_type) IS DISTINCT FROM (excluded.sha256, excluded.content_type)`,
      [disputeId, purpose, contentType, sha256, bytes.length, bytes, who, now],
    );
    return rowCount === 1 ? 'stored' : 'repeated';
  });
}

/** With their bytes, for the provider. */
export async function documentsOf(session: SqlSession, disputeId: string): Promise<readonly PspDocument[]> {
  const { rows } = await session.query<{
    readonly purpose: DocumentPurpose;
    readonly content_type: DocumentType;
    readonly sha256: Uint8Array;
    readonly bytes: Uint8Array;
  }>(
    `SELECT purpose, content_type, sha256, bytes FROM dispute_document
     WHERE dispute_id = $1 AND bytes IS NOT NULL ORDER BY purpose`,
    [disputeId],
  );
  return rows.map(({ purpose, content_type: contentType, sha256, bytes }) => ({
    id: createHash('sha256').update(`${disputeId}\n${purpose}\n`).update(sha256).digest('hex'),
    purpose,
    contentType,
    bytes,
  }));
}
