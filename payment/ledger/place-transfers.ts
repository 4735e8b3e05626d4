import type { AccountId } from './accounts.js';
import { keyOf } from './check-transfers.js';
import type { Refusal, Transfer, TransferKind, TransferPhase } from './transfer.js';

/** Where an account stands. */
export interface Head {
  readonly accountNo: number;
  /** 1 when debits count its balance up, -1 when credits do. */
  readonly side: bigint;
  readonly overdraftRefused: boolean;
  readonly sequence: number;
  /** Debits less credits of what is posted. */
  readonly balance: bigint;
  readonly pendingDebit: bigint;
  readonly pendingCredit: bigint;
}

/** A leg that the ledger has. */
export interface RecordedLeg {
  readonly subject: string;
  readonly operation: string;
  readonly leg: number;
  readonly kind: TransferKind;
  readonly phase: TransferPhase;
  readonly resolves: string | undefined;
  readonly debitNo: number;
  readonly creditNo: number;
  readonly amount: bigint;
}

/** A leg with its two sequences: the two postings that are written. */
export interface PlacedLeg {
  readonly transfer: Transfer;
  readonly leg: number;
  readonly debitNo: number;
  readonly debitSequence: number;
  readonly debitBalance: bigint;
  readonly creditNo: number;
  readonly creditSequence: number;
  readonly creditBalance: bigint;
  /** What a post or void frees of the pending transfer that it resolves. */
  readonly released: bigint;
}

export type Placement =
  /** `replayed` are the transfers that the ledger has already, with equal legs. */
  | {
      readonly kind: 'placed';
      readonly legs: readonly PlacedLeg[];
      readonly replayed: ReadonlySet<Transfer>;
      /** The new balances of the affected accounts. */
      readonly heads: ReadonlyMap<AccountId, Head>;
    }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/**
 * Assigns sequences and balances to every leg, in order. `heads` has every account of the transfers,
 * `standing` all recorded legs of their subjects. No pair of subject and operation occurs twice. Pure: this
 * is the arithmetic of the ledger, and the trigger on `ledger_transfer` checks the result.
 */
export function placeTransfers(
  transfers: readonly Transfer[],
  heads: ReadonlyMap<AccountId, Head>,
  standing: readonly RecordedLeg[],
): Placement {
  const replayed = new Set<Transfer>();
  const refusals: Refusal[] = [];
  const stands = byOperation(standing);
  for (const transfer of stands.size === 0 ? [] : transfers) {
    const legs = stands.get(keyOf(transfer));
    if (legs === undefined) continue;
    if (standsSo(transfer, legs, heads)) replayed.add(transfer);
    else refusals.push(conflict(transfer));
  }
  if (refusals.length > 0) return { kind: 'refused', refusals };
  const open = replayed.size === 0 ? transfers : transfers.filter((transfer) => !replayed.has(transfer));

  const releases = new Map<Transfer, readonly bigint[]>();
  const resolved = new Set<string>();
  for (const { subject, resolves, phase } of standing)
    if (resolves !== undefined && phase !== 'pending') resolved.add(keyOf({ subject, operation: resolves }));
  for (const transfer of open) {
    if (transfer.resolves === undefined) continue;
    const key = keyOf({ subject: transfer.subject, operation: transfer.resolves });
    const freed = resolved.has(key) ? undefined : releasesOf(transfer, stands.get(key) ?? [], heads);
    if (freed === undefined) refusals.push(noPending(transfer));
    else {
      releases.set(transfer, freed);
      resolved.add(key);
    }
  }
  if (refusals.length > 0) return { kind: 'refused', refusals };

  const { legs, overdrawn, touched } = place(open, heads, releases);
  if (overdrawn.length > 0) return { kind: 'refused', refusals: overdrawn };
  return { kind: 'placed', legs, replayed, heads: touched };
}

function place(
  transfers: readonly Transfer[],
  heads: ReadonlyMap<AccountId, Head>,
  releases: ReadonlyMap<Transfer, readonly bigint[]>,
): {
  readonly legs: readonly PlacedLeg[];
  readonly overdrawn: readonly Refusal[];
  readonly touched: ReadonlyMap<AccountId, Head>;
} {
  const accounts = new Map<AccountId, RunningAccount>();
  const running = (id: AccountId): RunningAccount => {
    const known = accounts.get(id);
    if (known !== undefined) return known;
    const account = new RunningAccount(heads.get(id)!);
    accounts.set(id, account);
    return account;
  };
  const legs: PlacedLeg[] = [];
  const overdrawn: Refusal[] = [];
  // Only the first refusal of each account: without that transfer, later ones may be valid.
  const refuse = (transfer: Transfer, id: AccountId, account: RunningAccount) => {
    if (account.isRefused) return;
    account.isRefused = true;
    overdrawn.push(lacks(transfer, id, account.available));
  };
  for (const transfer of transfers) {
    const { phase = 'posted' } = transfer;
    const freed = releases.get(transfer);
    for (let leg = 0; leg < transfer.legs.length; leg += 1) {
      const { debit, credit, amount, needsFunds = false } = transfer.legs[leg]!;
      const released = freed?.[leg] ?? 0n;
      const moved = phase === 'posted' || phase === 'post' ? amount.minor : 0n;
      const reserved = phase === 'posted' ? 0n : phase === 'pending' ? amount.minor : -released;
      const from = running(debit);
      const to = running(credit);
      if (!from.debit(moved, reserved, needsFunds)) refuse(transfer, debit, from);
      if (!to.credit(moved, reserved)) refuse(transfer, credit, to);
      legs.push({
        transfer,
        leg,
        debitNo: from.accountNo,
        debitSequence: from.sequence,
        debitBalance: from.balance,
        creditNo: to.accountNo,
        creditSequence: to.sequence,
        creditBalance: to.balance,
        released,
      });
    }
  }
  return { legs, overdrawn, touched: accounts };
}

/** The balance of an account while postings are added to it. */
class RunningAccount implements Head {
  readonly accountNo: number;
  readonly side: bigint;
  readonly overdraftRefused: boolean;
  sequence: number;
  balance: bigint;
  pendingDebit: bigint;
  pendingCredit: bigint;
  isRefused = false;

  constructor(head: Head) {
    this.accountNo = head.accountNo;
    this.side = head.side;
    this.overdraftRefused = head.overdraftRefused;
    this.sequence = head.sequence;
    this.balance = head.balance;
    this.pendingDebit = head.pendingDebit;
    this.pendingCredit = head.pendingCredit;
  }

  /** False if it overdraws an account that may not be overdrawn, or for a leg that requires funds. */
  debit(moved: bigint, reserved: bigint, needsFunds: boolean): boolean {
    const before = needsFunds || this.overdraftRefused ? this.available : undefined;
    this.sequence += 1;
    this.balance += moved;
    this.pendingDebit += reserved;
    return this.#isAllowed(before);
  }

  credit(moved: bigint, reserved: bigint): boolean {
    const before = this.overdraftRefused ? this.available : undefined;
    this.sequence += 1;
    this.balance -= moved;
    this.pendingCredit += reserved;
    return this.#isAllowed(before);
  }

  /** On its natural side, less what is reserved. */
  get available(): bigint {
    return this.side > 0n ? this.balance - this.pendingCredit : -this.balance - this.pendingDebit;
  }

  /** Undefined: no lower bound. A transfer that adds money is allowed at any balance. */
  #isAllowed(before: bigint | undefined): boolean {
    if (before === undefined) return true;
    const after = this.available;
    return after >= 0n || after >= before;
  }
}

function byOperation(standing: readonly RecordedLeg[]): ReadonlyMap<string, readonly RecordedLeg[]> {
  const found = new Map<string, RecordedLeg[]>();
  for (const leg of standing) {
    const key = keyOf(leg);
    const legs = found.get(key);
    if (legs === undefined) found.set(key, [leg]);
    else legs.push(leg);
  }
  return found;
}

function standsSo(
  { kind, phase = 'posted', resolves, legs }: Transfer,
  stands: readonly RecordedLeg[],
  heads: ReadonlyMap<AccountId, Head>,
): boolean {
  return (
    stands.length === legs.length &&
    stands.every((standing) => {
      const leg = legs[standing.leg];
      return (
        leg !== undefined &&
        standing.kind === (leg.kind ?? kind) &&
        standing.phase === phase &&
        standing.resolves === resolves &&
        standing.debitNo === heads.get(leg.debit)!.accountNo &&
        standing.creditNo === heads.get(leg.credit)!.accountNo &&
        standing.amount === leg.amount.minor
      );
    })
  );
}

/**
 * The reserved amount of each leg; undefined when the pending transfer has other accounts, other legs
 * besides, or less.
 */
function releasesOf(
  { legs }: Transfer,
  pending: readonly RecordedLeg[],
  heads: ReadonlyMap<AccountId, Head>,
): readonly bigint[] | undefined {
  // An omitted leg would stay reserved for ever, because a pending transfer is resolved once.
  if (pending.length !== legs.length) return undefined;
  const freed: bigint[] = [];
  for (const [index, { debit, credit, amount }] of legs.entries()) {
    const reserved = pending.find(({ leg, phase }) => leg === index && phase === 'pending');
    const fits =
      reserved !== undefined &&
      reserved.debitNo === heads.get(debit)!.accountNo &&
      reserved.creditNo === heads.get(credit)!.accountNo &&
      reserved.amount >= amount.minor;
    if (!fits) return undefined;
    freed.push(reserved.amount);
  }
  return freed;
}

function conflict({ subject, operation }: Transfer): Refusal {
  const detail =
    `${operation} of ${subject} stands in the ledger with other legs: ` +
    'give the new operation a name of its own.';
  return { subject, operation, reason: 'conflict', detail };
}

function noPending({ subject, operation, resolves }: Transfer): Refusal {
  const detail =
    `${resolves} of ${subject} is not pending, is resolved already, ` +
    'or has other legs or a smaller amount.';
  return { subject, operation, reason: 'no_pending', detail };
}

function lacks({ subject, operation }: Transfer, id: AccountId, available: bigint): Refusal {
  const detail = `The account ${id} lacks ${-available} minor units.`;
  return { subject, operation, reason: 'overdrawn', detail };
}
