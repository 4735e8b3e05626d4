import { queryAll } from '#platform/sql/query-all.js';
import type { SqlSession } from '#platform/sql/sql.js';
import { hotelActions } from '#schemas/hotel-actions.js';
import type { StaffAction } from '#schemas/http/hotel-staff.js';

/** The audit list, newest first; of several databases, each with its own numbers, by number. */
export async function staffActions(
  databases: readonly SqlSession[],
  {
    subject,
    before,
    properties,
    limit,
  }: {
    readonly subject?: string;
    readonly before?: bigint;
    /** Only actions on these hotels and their reservations. */
    readonly properties?: readonly string[] | undefined;
    readonly limit: number;
  },
): Promise<readonly StaffAction[]> {
  const rows = await queryAll(
    databases,
    `SELECT * FROM staff_action a WHERE ($1::text IS NULL OR subject = $1) AND ($2::bigint IS NULL OR action_id < $2)
       AND ($4::text[] IS NULL OR CASE WHEN action = ANY ($5) THEN subject = ANY ($4) ELSE EXISTS (
         SELECT FROM reservation r WHERE r.reservation_id = a.subject AND r.hotel_id = ANY ($4)) END)
     ORDER BY action_id DESC LIMIT $3`,
    [subject ?? null, before ?? null, limit, properties ?? null, hotelActions],
  );
  const found = rows.map((row) => ({
    actionID: String(row['action_id']),
    at: (row['at'] as Date).toISOString(),
    staffID: row['staff_id'] as string,
    action: row['action'] as string,
    subject: row['subject'] as string,
    reason: row['reason'] as string,
    detail: row['detail'] as object,
    outcome: row['outcome'] as string | null,
  }));
  return databases.length === 1
    ? found
    : found.toSorted((a, b) => Number(BigInt(b.actionID) - BigInt(a.actionID))).slice(0, limit);
}
