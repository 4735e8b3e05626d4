import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

export type SavedCardState = 'kept' | 'deleting' | 'deleted';

/** A card as buyers and sellers see it: without the provider's names. */
export interface SavedCard {
  readonly cardNo: bigint;
  readonly id: string;
  readonly paymentOrderId: string;
  readonly buyerAccount: string;
  readonly sellerAccount: string;
  readonly state: SavedCardState;
  /** Erased once it is deleted. */
  readonly shown:
    | { readonly brand: string; readonly last4: string; readonly expiryMonth: string }
    | undefined;
  readonly keptAt: Date;
  readonly deletedAt: Date | undefined;
}

/**
 * Whose cards a caller may see: those that buyers saved through this caller, of one buyer or of all, or those
 * that were saved with sellers.
 */
export type CardsSeen =
  | { readonly caller: string; readonly buyerAccount?: string }
  | { readonly sellers: readonly string[]; readonly buyerAccount?: string };

/** The only condition by which cards are seen; its parameters are `seenBy`. */
const isSeen = `($1::text IS NULL OR c.caller = $1) AND ($2::text IS NULL OR c.buyer_account = $2)
  AND ($3::text[] IS NULL OR c.seller_account = ANY ($3))`;

const seenBy = (seen: CardsSeen): readonly [string | null, string | null, readonly string[] | null] => [
  'caller' in seen ? seen.caller : null,
  seen.buyerAccount ?? null,
  'sellers' in seen ? seen.sellers : null,
];

const columns = `c.card_no, c.card_id, c.payment_order_id, c.buyer_account, c.seller_account, c.state, c.brand,
  c.last4, c.expiry_month, c.kept_at, c.deleted_at`;

/** The latest first, only those that can be used. */
export async function listCards(
  session: SqlSession,
  page: {
    readonly seen: CardsSeen;
    readonly sellerAccount?: string;
    readonly before?: bigint;
    readonly limit: number;
  },
): Promise<readonly SavedCard[]> {
  const { rows } = await session.query(
    `SELECT ${columns} FROM saved_card c WHERE ${isSeen} AND c.state = 'kept'
       AND ($4::text IS NULL OR c.seller_account = $4) AND ($5::bigint IS NULL OR c.card_no < $5)
     ORDER BY c.card_no DESC LIMIT $6`,
    [...seenBy(page.seen), page.sellerAccount ?? null, page.before ?? null, page.limit],
  );
  return rows.map(cardOf);
}

/** Undefined for a card of others, and for one that was never kept. */
export async function findCard(
  session: SqlSession,
  seen: CardsSeen,
  id: string,
): Promise<SavedCard | undefined> {
  const { rows } = await session.query(
    `SELECT ${columns} FROM saved_card c
     WHERE ${isSeen} AND c.card_id = $4 AND c.state IN ('kept', 'deleting', 'deleted')`,
    [...seenBy(seen), id],
  );
  return rows[0] === undefined ? undefined : cardOf(rows[0]);
}

/** Who pays, and whom. */
export interface CardUse {
  readonly caller: string;
  readonly buyerAccount: string;
  readonly sellerAccounts: readonly string[];
}

/** A card that pays, with the provider's names. */
export interface UsableCard {
  readonly id: string;
  readonly provider: string;
  readonly token: string;
  readonly customer: string;
}

/** Only for the buyer who saved the card, through the same caller, and for the seller with whom. */
export async function findUsableCard(
  session: SqlSession,
  id: string,
  { caller, buyerAccount, sellerAccounts }: CardUse,
): Promise<UsableCard | undefined> {
  const { rows } = await session.query<UsableCard & SqlRow>(
    `SELECT card_id AS id, provider, token, customer FROM saved_card
     WHERE card_id = $1 AND state = 'kept' AND caller = $2 AND buyer_account = $3
       AND seller_account = ALL ($4::text[])`,
    [id, caller, buyerAccount, sellerAccounts],
  );
  return rows[0];
}

/** Whether the buyer may keep another card with this seller. */
export async function mayKeepAnother(
  session: SqlSession,
  {
    caller,
    buyerAccount,
    sellerAccount,
  }: Omit<CardUse, 'sellerAccounts'> & { readonly sellerAccount: string },
  keptMax: number,
): Promise<boolean> {
  const { rows } = await session.query<{ readonly kept: bigint }>(
    `SELECT count(*) AS kept FROM saved_card
     WHERE caller = $1 AND buyer_account = $2 AND seller_account = $3 AND state = 'kept'`,
    [caller, buyerAccount, sellerAccount],
  );
  return rows[0]!.kept < BigInt(keptMax);
}

function cardOf(row: SqlRow): SavedCard {
  const brand = row['brand'] as string | null;
  return {
    cardNo: row['card_no'] as bigint,
    id: row['card_id'] as string,
    paymentOrderId: row['payment_order_id'] as string,
    buyerAccount: row['buyer_account'] as string,
    sellerAccount: row['seller_account'] as string,
    state: row['state'] as SavedCardState,
    shown:
      brand === null
        ? undefined
        : { brand, last4: row['last4'] as string, expiryMonth: row['expiry_month'] as string },
    keptAt: row['kept_at'] as Date,
    deletedAt: (row['deleted_at'] as Date | null) ?? undefined,
  };
}
