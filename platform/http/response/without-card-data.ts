import { findCardData, textHoldsCardData } from '#platform/card-data/find-card-data.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import type { HttpAnswer, Route } from '../http-types.js';
import { problem, problems } from '../problem.js';

/**
 * The operations, each refusing whatever holds the number of a card or its code before a validator or a
 * handler sees it. `except` lists those whose text comes from the provider itself.
 */
export const withoutCardData = (
  routes: readonly Route[],
  except: readonly RouteContract[] = [],
): readonly Route[] =>
  routes.map((route) => (except.includes(route.contract) ? route : { ...route, refusesCardData: true }));

/** What a client sends beside its body. */
export interface SentBesideBody {
  readonly path: object | undefined;
  readonly query: object;
  readonly idempotencyKey: string | undefined;
}

export function refuseCardDataBesideBody({
  path,
  query,
  idempotencyKey,
}: SentBesideBody): HttpAnswer | undefined {
  if (idempotencyKey !== undefined && textHoldsCardData(idempotencyKey))
    return refusal('/header/idempotency-key');
  return refuseAt(findCardData(path, '/path') ?? findCardData(query, '/query'));
}

export const refuseCardDataInBody = (body: unknown): HttpAnswer | undefined => refuseAt(findCardData(body));

const refuseAt = (pointer: string | undefined) => (pointer === undefined ? undefined : refusal(pointer));

/** Says where, never what. */
const refusal = (pointer: string): HttpAnswer =>
  problem(problems.cardData, 'A field seems to contain a card number or a card code.', {
    errors: [{ pointer, message: 'looks like a card number or a card code' }],
  });

/** Whether a path, still in the escapes of a URL, holds card data; then no answer repeats it. */
export function pathHoldsCardData(path: string): boolean {
  try {
    return textHoldsCardData(decodeURIComponent(path));
  } catch {
    return textHoldsCardData(path);
  }
}
