import type { Currency } from '../money/currency.js';
import { type AccountId, describeAccount } from './accounts.js';
import { ledgerLimits } from './limits.js';
import type { Refusal, Transfer } from './transfer.js';

/**
 * Each transfer once, in order of first occurrence, and the transfers that occur twice with different legs.
 */
export function withoutRepeats(transfers: readonly Transfer[]): {
  readonly distinct: readonly Transfer[];
  readonly conflicts: readonly Refusal[];
} {
  // Two transfers of one subject are rare, and only such transfers can be equal.
  const subjects = new Set<string>();
  for (const { subject } of transfers) subjects.add(subject);
  if (subjects.size === transfers.length) return { distinct: transfers, conflicts: [] };
  const distinct = new Map<string, Transfer>();
  const conflicts: Refusal[] = [];
  for (const transfer of transfers) {
    const key = keyOf(transfer);
    const before = distinct.get(key);
    if (before === undefined) distinct.set(key, transfer);
    else if (!sameLegs(before, transfer)) {
      const { subject, operation } = transfer;
      const detail = `${operation} of ${subject} is twice in the call, with different legs.`;
      conflicts.push({ subject, operation, reason: 'conflict', detail });
    }
  }
  return { distinct: [...distinct.values()], conflicts };
}

function sameLegs(one: Transfer, other: Transfer): boolean {
  return (
    one.kind === other.kind &&
    (one.phase ?? 'posted') === (other.phase ?? 'posted') &&
    one.resolves === other.resolves &&
    one.legs.length === other.legs.length &&
    one.legs.every((leg, index) => {
      const twin = other.legs[index]!;
      return (
        leg.debit === twin.debit &&
        leg.credit === twin.credit &&
        leg.amount.minor === twin.amount.minor &&
        (leg.kind ?? one.kind) === (twin.kind ?? other.kind)
      );
    })
  );
}

/** Subjects hold no control character, so no two pairs share a key. */
export function keyOf({
  subject,
  operation,
}: {
  readonly subject: string;
  readonly operation: string;
}): string {
  return `${subject}\n${operation}`;
}

/**
 * Throws for a transfer that no ledger could hold, which is a fault of the program. Accounts that are open
 * already are accounts of the chart.
 */
export function checkTransfer(
  { subject, operation, legs, phase = 'posted', resolves, cause = '' }: Transfer,
  isOpen: (id: AccountId) => boolean = () => false,
): void {
  const fault = (what: string) => new Error(`The transfer ${operation} of ${subject} ${what}.`);
  checkText(subject, 1, ledgerLimits.subjectLengthMax, 'subject');
  checkText(operation, 1, ledgerLimits.operationLengthMax, 'operation');
  checkText(cause, 0, ledgerLimits.causeLengthMax, 'cause');
  if (legs.length === 0 || legs.length > ledgerLimits.legsPerTransferMax)
    throw fault(`has ${legs.length} legs instead of 1 to ${ledgerLimits.legsPerTransferMax}`);
  if ((phase === 'post' || phase === 'void') !== (resolves !== undefined))
    throw fault('must name what it resolves when it is a post or a void, and only then');
  for (const { debit, credit, amount } of legs) {
    if (amount.minor <= 0n || amount.minor > ledgerLimits.amountMinorMax)
      throw fault(`moves ${amount.minor} minor units`);
    if (debit === credit) throw fault(`debits and credits ${debit}`);
    const wrong = faultOf(debit, amount.currency, isOpen) ?? faultOf(credit, amount.currency, isOpen);
    if (wrong !== undefined) throw fault(wrong);
  }
}

function faultOf(id: AccountId, currency: Currency, isOpen: (id: AccountId) => boolean): string | undefined {
  if (!isOpen(id) && describeAccount(id) === undefined)
    return `uses ${id}, which the chart of accounts does not have`;
  // The id of an account ends in a colon and its currency.
  const isItsOwn = id.endsWith(currency) && id.charCodeAt(id.length - currency.length - 1) === 0x3a;
  return isItsOwn ? undefined : `moves ${currency} on ${id}`;
}

function checkText(text: string, least: number, most: number, what: string): void {
  if (text.length < least || text.length > most || hasControlCharacter(text))
    throw new Error(
      `The ${what} of a transfer has ${least} to ${most} characters and no control characters.`,
    );
}

/** C0, DEL and C1; a loop, because there are three texts in each of thousands of transfers. */
export function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}
