type Json = Readonly<Record<string, unknown>>;

export interface StripePayouts {
  /** With their own balance transactions, oldest first. */
  readonly transactions: readonly Json[];
  readonly payouts: readonly Json[];
  /** The balance transactions that a payout consists of. */
  readonly partsOf: ReadonlyMap<string, readonly Json[]>;
}

const dayS = 86_400;
/** Payouts leave in the morning, in UTC. */
const leavesAtS = 6 * 3_600;

/**
 * A payout every morning and in each currency, of all that is available by then and was not paid out, if
 * more is owed than was taken back. The money of one that fails comes back in the evening.
 */
export function dailyPayouts(
  transactions: readonly Json[],
  nowMs: number,
  fails: (parts: readonly Json[]) => boolean,
): StripePayouts {
  const all = [...transactions];
  const payouts: Json[] = [];
  const partsOf = new Map<string, readonly Json[]>();
  for (const currency of new Set(transactions.map((one) => String(one['currency'])))) {
    let pending = transactions.filter((one) => one['currency'] === currency);
    const firstS = Math.min(...pending.map(({ created }) => Number(created)));
    for (let atS = Math.floor(firstS / dayS) * dayS + leavesAtS; atS * 1_000 <= nowMs; atS += dayS) {
      if (pending.length === 0) break;
      const parts = pending.filter(
        (one) => Number(one['available_on']) <= atS && Number(one['created']) < atS,
      );
      const amount = parts.reduce((sum, { net }) => sum + Number(net), 0);
      if (amount <= 0) continue;
      const payout = payoutJson(currency, amount, atS);
      payouts.push(payout);
      partsOf.set(String(payout['id']), parts);
      all.push(transactionOf(payout));
      pending = pending.filter((one) => !parts.includes(one));
      if (!fails(parts)) continue;
      const back = comesBack(payout, atS + dayS / 2);
      all.push(back);
      pending.push(back);
    }
  }
  all.sort((one, other) => Number(one['created']) - Number(other['created']));
  return { transactions: all, payouts, partsOf };
}

function payoutJson(currency: string, amount: number, created: number): Json {
  const id = `po_${currency}${new Date(created * 1_000).toISOString().slice(0, 10).replaceAll('-', '')}`;
  return {
    id,
    object: 'payout',
    amount,
    arrival_date: created + dayS,
    automatic: true,
    balance_transaction: `txn_${id}`,
    created,
    currency,
    livemode: false,
    metadata: {},
    method: 'standard',
    reconciliation_status: 'completed',
    status: 'paid',
    type: 'bank_account',
  };
}

const transactionOf = (payout: Json): Json => ({
  id: payout['balance_transaction'],
  object: 'balance_transaction',
  amount: -Number(payout['amount']),
  fee: 0,
  net: -Number(payout['amount']),
  currency: payout['currency'],
  created: payout['created'],
  available_on: payout['created'],
  exchange_rate: null,
  reporting_category: 'payout',
  type: 'payout',
  source: payout,
});

const comesBack = (payout: Json, created: number): Json => ({
  ...transactionOf({ ...payout, created, amount: -Number(payout['amount']) }),
  id: `${String(payout['balance_transaction'])}_back`,
  reporting_category: 'payout_reversal',
  type: 'payout_failure',
  source: { ...payout, status: 'failed', failure_code: 'account_closed' },
});
