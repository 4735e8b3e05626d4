import type { FieldError } from '#platform/http/problem.js';
import type { OfferView, RatePlanBody, RatePlanView } from '#schemas/http/hotel-rate-plans.js';
import { moneyText } from '../hotels/money-text.js';
import { signedMinorOf } from '../hotels/signed-money.js';
import { overlapping, type RatePlan } from '../rates/rate-plan.js';
import type { Offer } from '../selling/offers.js';
import * as messages from './messages.js';

/** What a schema cannot say of a rate plan. */
export function planFaults({ valid, price }: RatePlanBody, currency: string): readonly FieldError[] {
  const errors: FieldError[] = valid.flatMap(({ from, to }, index) =>
    to < from ? [{ pointer: `/valid/${index}/to`, message: messages.beforeFrom }] : [],
  );
  const twice = overlapping(valid);
  if (errors.length === 0 && twice !== undefined)
    errors.push({ pointer: `/valid/${valid.indexOf(twice)}`, message: messages.overlaps });
  if (price.rule === 'derived' && signedMinorOf(price.amount ?? '0', currency) === undefined)
    errors.push({ pointer: '/price/amount', message: messages.badAmount(currency) });
  return errors;
}

/** Of a body without faults. */
export function planFrom(planId: string, body: RatePlanBody, currency: string): RatePlan {
  const { name, meal, cancellation, valid, price } = body;
  return {
    ...{ planId, name, meal },
    refundable: cancellation.refundable,
    freeCancelHours: cancellation.freeCancelHours ?? 24,
    lateCancelPercent: cancellation.lateCancelPercent ?? 100,
    valid: valid.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    price:
      price.rule === 'own'
        ? { kind: 'own' }
        : {
            kind: 'derived',
            from: price.from ?? null,
            percent: price.percent ?? 100,
            amountMinor: signedMinorOf(price.amount ?? '0', currency)!,
          },
  };
}

export function ratePlanView(plan: RatePlan, currency: string): RatePlanView {
  const { planId, name, meal, refundable, freeCancelHours, lateCancelPercent, valid, price } = plan;
  return {
    ratePlanID: planId,
    ...{ name, meal, cancellation: { refundable, freeCancelHours, lateCancelPercent } },
    valid: [...valid],
    price:
      price.kind === 'own'
        ? { rule: 'own' }
        : {
            rule: 'derived',
            from: price.from,
            percent: price.percent,
            amount: moneyText(price.amountMinor, currency),
          },
  };
}

export function offerView(offer: Offer, currency: string): OfferView {
  const { planId, name, meal, refundable, freeCancelHours, lateCancelPercent, nights, restriction } = offer;
  const prices = nights.flatMap(({ priceMinor }) => priceMinor ?? []);
  const total = prices.reduce((sum, price) => sum + price, 0n);
  return {
    ...(planId === null ? {} : { ratePlanID: planId }),
    ...{ name, meal, refundable, freeCancelHours, lateCancelPercent },
    nights: nights.map(({ date, priceMinor }) => ({
      date,
      ...(priceMinor === undefined ? {} : { price: moneyText(priceMinor, currency) }),
    })),
    ...(prices.length === nights.length ? { total: moneyText(total, currency) } : {}),
    ...(restriction === undefined
      ? {}
      : {
          restriction: {
            code: restriction.kind,
            dates: [...restriction.dates],
            ...(restriction.nights === undefined ? {} : { nights: restriction.nights }),
          },
        }),
  };
}
