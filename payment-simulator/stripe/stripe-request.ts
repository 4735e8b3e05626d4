import type { Answer } from '../answer.js';
import type { Call, Reply } from '../exchange.js';
import type { PspStore } from '../psp-store.js';
import type { RecordLine, SimulatedPayment } from '../record.js';
import type { Doctored } from './stripe-doctored.js';

export interface StripeApiDeps {
  readonly book: PspStore;
  readonly baseUrl: () => string;
  readonly nowMs: () => number;
  readonly lines: () => readonly RecordLine[];
  /** What tests want to be wrong in settlements. */
  readonly doctored: () => readonly Doctored[];
}

export type Fields = Readonly<Record<string, string>>;

export const stripeError = (status: number, error: Readonly<Record<string, unknown>>): Reply => ({
  status,
  body: { error },
});

export const invalid = (code: string, param?: string): Reply =>
  stripeError(code === 'resource_missing' ? 404 : 400, {
    type: 'invalid_request_error',
    code,
    ...(param === undefined ? {} : { param }),
  });

export const textsOf = (body: Call['body']): Fields =>
  Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export type Show = (payment: SimulatedPayment) => Reply;

/** Like Stripe, what is not known is refused. */
export function unknownField(fields: Fields, allowed: ReadonlySet<string>): Reply | undefined {
  const unknown = Object.keys(fields).find((name) => !allowed.has(name));
  return unknown === undefined ? undefined : invalid('parameter_unknown', unknown);
}

const threeDecimals = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

export function badMoney(amount: string | undefined, currency: string | undefined): Reply | undefined {
  if (!/^[1-9]\d{0,11}$/.test(amount ?? '')) return invalid('parameter_invalid_integer', 'amount');
  if (!/^[a-z]{3}$/.test(currency ?? '')) return invalid('parameter_invalid', 'currency');
  return threeDecimals.has(currency!) && !amount!.endsWith('0')
    ? invalid('parameter_invalid_integer', 'amount')
    : undefined;
}

export const captureIn = (method: string | undefined) =>
  method === 'manual' ? ({ manual: true } as const) : {};

export const keepIn = (usage: string | undefined) =>
  usage === 'off_session' ? ({ keep: 'agreed' } as const) : {};

export const shown = (answer: Answer<SimulatedPayment>, show: Show): Reply =>
  answer.ok ? show(answer.value) : invalid(answer.code);

export function metadataIn(fields: Fields, name: string): Fields {
  const prefix = `${name}[`;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => field.startsWith(prefix) && field.endsWith(']'))
      .map(([field, value]) => [field.slice(prefix.length, -1), value]),
  );
}
