import { currencyDecimals } from '#schemas/currency.js';
import { kindOfNumber, outcomeOfNumber } from './cards.js';
import type { Call, Reply } from './exchange.js';
import type { PspStore } from './psp-store.js';
import type { SimulatedPayment } from './record.js';

/**
 * Pages for the buyer. `/pay/{token}`: `GET` shows the form for the card, `POST` uses the card. The number is
 * checked and not stored; brand and last four digits stay. `/challenge/{token}` is the page of the buyer's
 * bank. Both send the browser back to the shop with `tokenID` and `payResult`.
 */
export function pageReply(call: Call, book: PspStore): Reply | undefined {
  const [, page, token] = /^\/(pay|challenge)\/([\w-]{1,128})$/.exec(call.path) ?? [];
  if (token === undefined) return undefined;
  const payment = book.byToken(token);
  if (payment === undefined) return { status: 404, body: shell('<p>There is no such payment.</p>') };
  if (page === 'challenge') return challengePage(call, book, payment);
  if (payment.status === 'challenge') return toChallenge(payment);
  if (payment.status !== 'registered') return back(payment);
  return call.method === 'POST' ? pay(call, book, payment) : form(payment);
}

function pay(call: Call, book: PspStore, payment: SimulatedPayment): Reply {
  const number = String(call.body['number'] ?? '').replaceAll(/[ -]/g, '');
  const outcome = outcomeOfNumber(number);
  const keep = payment.keep === 'agreed' || (payment.keep === 'offered' && call.body['keep'] === 'on');
  const cardExpiry = expiryOf(String(call.body['expiry'] ?? ''));
  if (keep && cardExpiry === undefined) return form(payment, 'Enter the expiry as month and year: 12/30.');
  const card = {
    brand: number.startsWith('4') ? 'visa' : 'card',
    last4: number.slice(-4),
    ...(keep && { keep: 'agreed' as const, cardKind: kindOfNumber(number), cardExpiry: cardExpiry! }),
  };
  // The page of a session takes another card.
  if (outcome.result === 'declined' && payment.stripe?.session !== undefined)
    return form(payment, 'Your card was declined. Try another card.');
  const answer = book.pay(payment.nonce, outcome, card, 'page');
  if (!answer.ok) return form(payment, 'Your bank does not answer. Please try again.');
  return answer.value.status === 'challenge' ? toChallenge(answer.value) : back(answer.value);
}

/** `12/30` as `2030-12`. */
export function expiryOf(text: string): string | undefined {
  const [, month, year] = /^\s*(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  return month === undefined ? undefined : `20${year}-${month}`;
}

/** What the buyer decides, or has decided at the shop. */
const keepOffers = {
  offered:
    '<label class="choice"><input type="checkbox" name="keep"> Keep this card for later payments to this seller</label>',
  agreed: '<p>Your card is kept for later payments to this seller, as you agreed.</p>',
};

const toChallenge = ({ token }: SimulatedPayment): Reply => ({
  status: 303,
  headers: { location: `/challenge/${token}` },
});

function challengePage(call: Call, book: PspStore, payment: SimulatedPayment): Reply {
  if (payment.status === 'registered') return form(payment, 'Your bank did not confirm the payment.');
  if (payment.status !== 'challenge') return back(payment);
  if (call.method !== 'POST')
    return {
      status: 200,
      body: shell(`<h1>Your bank</h1><p>Confirm the payment of ${amountOf(payment)}.</p>
<form method="post"><button name="answer" value="approve">Confirm</button></form>
<form method="post"><button class="quiet" name="answer" value="refuse">Refuse</button></form>`),
    };
  const answered = book.answerChallenge(payment.nonce, call.body['answer'] === 'approve');
  if (!answered.ok) return back(payment);
  return answered.value.status === 'registered'
    ? form(answered.value, 'Your bank did not confirm the payment.')
    : back(answered.value);
}

function back({ nonce, token, status, successUrl, failureUrl, stripe }: SimulatedPayment): Reply {
  const good = ['captured', 'authorized', 'processing', 'review', 'challenge'].includes(status);
  const url = good ? successUrl : failureUrl;
  if (url === '') return { status: 200, body: shell(`<p>${status}</p>`) };
  if (stripe !== undefined) {
    const target = new URL(url.replace('{CHECKOUT_SESSION_ID}', token));
    if (stripe.session === undefined) {
      target.searchParams.set('payment_intent', nonce);
      target.searchParams.set('redirect_status', good ? 'succeeded' : 'failed');
    }
    return { status: 303, headers: { location: target.href } };
  }
  const target = new URL(url);
  target.searchParams.set('tokenID', token);
  target.searchParams.set('payResult', good ? 'success' : 'failure');
  return { status: 303, headers: { location: target.href } };
}

function form(payment: SimulatedPayment, hint = ''): Reply {
  return {
    status: 200,
    body: shell(`<h1>Pay ${amountOf(payment)}</h1><p>Payment ${payment.reference}</p><p role="alert">${hint}</p>
<form method="post" action="/pay/${payment.token}"><label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" required></label>
<label>Expiry <input name="expiry" autocomplete="cc-exp"></label><label>CVC <input name="cvc" autocomplete="cc-csc"></label>
${payment.keep === undefined ? '' : keepOffers[payment.keep]}<button>Pay</button></form>`),
  };
}

const amountOf = ({ amountMinor, currency }: SimulatedPayment): string => textOfMoney(amountMinor, currency);

export const textOfMoney = (minor: string, currency: string): string =>
  `${decimal(minor, currency)} ${currency}`;

function decimal(amountMinor: string, currency: string): string {
  const places = currencyDecimals(currency) ?? 0;
  if (places === 0) return amountMinor;
  const digits = amountMinor.padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const style = `body{margin:0;background:#eef1f6;color:#18202b;font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;max-width:420px;margin:6vh auto;padding:24px;border-radius:14px;background:#fff;box-shadow:0 6px 28px #0002}
h1{margin:0 0 4px;font-size:22px}p{margin:0 0 12px;color:#566071;overflow-wrap:anywhere}[role=alert]{color:#b3202a}
label{display:block;margin:0 0 12px;font-size:14px}input{box-sizing:border-box;width:100%;padding:10px;border:1px solid #c5cdd9;border-radius:8px;font:inherit}
.choice input{width:auto;margin-right:6px}
button{width:100%;padding:12px;border:0;border-radius:8px;background:#3563e9;color:#fff;font:inherit;font-weight:600}
button.quiet{margin-top:8px;background:#eef1f6;color:#18202b}`;

export const shell = (content: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Payment</title><style>${style}</style><main>${content}</main></html>`;
