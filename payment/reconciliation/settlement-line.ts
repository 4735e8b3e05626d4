import { hasControlCharacter } from '../ledger/check-transfers.js';
import { parseCurrency } from '../money/currency.js';
import { reconciliationLimits } from './limits.js';

export interface SettlementHeader {
  readonly fileId: string;
  readonly provider: string;
  readonly periodFrom: Date;
  readonly periodTo: Date;
}

/** Columns of a line that name something. */
export const idColumns = ['payment_order_id', 'operation_id', 'psp_reference', 'payout_id'] as const;
type IdColumn = (typeof idColumns)[number];

/** A line that is in order. */
export interface SettlementLine {
  /**
   * kind, order, operation as the ledger calls it, reference, amount, fee, currency, succeeded, moment,
   * payout: fields of COPY's text format.
   */
  readonly row: string;
  /** For the control sums. */
  readonly amount: number;
  readonly fee: number;
  readonly currency: string;
  /** Without escapes; empty where the line has none. */
  readonly ids: Readonly<Record<IdColumn, string>>;
}

const kinds = new Set(['charge', 'refund', 'dispute', 'dispute_won', 'payout', 'payout_returned']);
/** They have no id of ours: both fields have the id that the provider gave them. */
const named = new Set(['charge', 'payout', 'payout_returned']);
const id = /^[A-Za-z0-9._~:%-]{1,192}$/;
const whole = /^(0|[1-9][0-9]{0,14})$/;
const instant = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z$/;

/** Undefined when it is no header of this version. */
export function parseHeader(line: string): SettlementHeader | undefined {
  const [magic, version, fileId = '', provider = '', from = '', to = '', created = '', ...more] =
    line.split(',');
  if (magic !== 'meridian-settlement' || version !== '1' || more.length > 0) return undefined;
  if (![from, to, created].every((text) => instant.test(text) && isReal(text))) return undefined;
  const decoded = decodeId(fileId);
  const periodFrom = new Date(from);
  const periodTo = new Date(to);
  const days = (periodTo.getTime() - periodFrom.getTime()) / 86_400_000;
  if (decoded === undefined || !/^[a-z0-9-]{1,32}$/.test(provider)) return undefined;
  if (!(days > 0 && days <= reconciliationLimits.periodDaysMax)) return undefined;
  return { fileId: decoded, provider, periodFrom, periodTo };
}

/** Reads a line, or answers with the field that is wrong. */
export function parseLine(line: string): SettlementLine | { readonly wrong: string } {
  const fields = line.split(',');
  if (fields.length !== 9 && fields.length !== 10) return { wrong: 'number of fields' };
  const [kind, order, operation, reference, amount, fee, currency, status, moment, payout] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string | undefined,
  ];
  if (!kinds.has(kind)) return { wrong: 'kind' };
  const orderId = decodeId(order);
  const operationId = operation === order ? orderId : decodeId(operation);
  const pspReference = decodeId(reference);
  if (orderId === undefined) return { wrong: 'payment_order_id' };
  if (operationId === undefined || (named.has(kind) && operationId !== orderId))
    return { wrong: 'operation_id' };
  if (pspReference === undefined) return { wrong: 'psp_reference' };
  if (!whole.test(amount) || amount === '0') return { wrong: 'amount' };
  if (!whole.test(fee) || (kind === 'payout' && fee !== '0')) return { wrong: 'fee' };
  if (parseCurrency(currency) === undefined) return { wrong: 'currency' };
  if (status !== 'succeeded' && status !== 'failed') return { wrong: 'status' };
  if (!instant.test(moment) || !isReal(moment)) return { wrong: 'occurred_at' };
  const payoutId = payout === undefined ? undefined : decodeId(payout);
  if (payout !== undefined && (payoutId === undefined || kind === 'payout' || status === 'failed'))
    return { wrong: 'payout_id' };
  const row = `${kind}\t${orderId}\t${ledgerOperation(kind, operationId)}\t${pspReference}\t${amount}\t${fee}\t${currency}\t${status === 'succeeded' ? 't' : 'f'}\t${moment}\t${payoutId ?? ''}`;
  return {
    // Only what was percent-encoded can hold a backslash; tabs and line ends are refused everywhere.
    row: (line.includes('%') ? row.replaceAll('\\', '\\\\') : row) + (payoutId === undefined ? '\\N' : ''),
    amount: Number(amount),
    fee: Number(fee),
    currency,
    ids: {
      payment_order_id: orderId,
      // Most operations are named like their orders.
      operation_id: operationId === orderId ? '' : operationId,
      psp_reference: pspReference,
      payout_id: payoutId ?? '',
    },
  };
}

/** The operation of a payout whose money came back. */
export const payoutReturned = 'payout-returned';

/** What `payment-transfers.ts` calls the same operation. */
function ledgerOperation(kind: string, operationId: string): string {
  switch (kind) {
    case 'charge':
      return 'capture';
    case 'refund':
      return `refund:${operationId}`;
    case 'dispute':
      return `dispute:${operationId}:opened`;
    case 'payout':
      return 'payout';
    case 'payout_returned':
      return payoutReturned;
    default:
      return `dispute:${operationId}:won`;
  }
}

function decodeId(text: string): string | undefined {
  if (!id.test(text)) return undefined;
  if (!text.includes('%')) return text.length <= reconciliationLimits.idLengthMax ? text : undefined;
  try {
    const decoded = decodeURIComponent(text);
    const bad = decoded.length > reconciliationLimits.idLengthMax || hasControlCharacter(decoded);
    return bad ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** 31 February has the form of a date. */
function isReal(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return day <= 28 || new Date(text).getUTCDate() === day;
}

/** A file that is loaded, and the time that it covers. */
export interface SettledFile {
  readonly fileNo: number;
  readonly provider: string;
  readonly periodFrom: Date;
  readonly periodTo: Date;
}
