import { outcomeOfNumber } from './cards.js';
import type { Call, Reply } from './exchange.js';
import type { PspBook } from './psp-book.js';
import type { SimulatedPayment } from './record.js';

/**
 * The page on which the buyer types the card: `GET /pay/{token}` shows it, `POST` uses the card and sends the browser back to the shop
 * with `tokenID` and `payResult`. The number is looked at and forgotten; brand and last four digits stay.
 */
export function pageReply(call: Call, book: PspBook): Reply | undefined {
  const token = /^\/pay\/([\w-]{1,128})$/.exec(call.path)?.[1];
  if (token === undefined) return undefined;
  const payment = book.byToken(token);
  if (payment === undefined) return { status: 404, body: shell('<p>There is no such payment.</p>') };
  if (call.method === 'POST') return pay(call, book, payment);
  return payment.status === 'registered' ? form(payment) : back(payment);
}

function pay(call: Call, book: PspBook, payment: SimulatedPayment): Reply {
  const number = String(call.body['number'] ?? '').replaceAll(/[ -]/g, '');
  const card = { brand: number.startsWith('4') ? 'visa' : 'card', last4: number.slice(-4) };
  const answer = book.pay(payment.nonce, outcomeOfNumber(number), card, 'page');
  if (!answer.ok) return form(payment, 'Your bank does not answer. Please try again.');
  return back(answer.value);
}

function back({ token, status, successUrl, failureUrl }: SimulatedPayment): Reply {
  const good = ['captured', 'authorized', 'processing', 'review', 'challenge'].includes(status);
  const url = good ? successUrl : failureUrl;
  if (url === '') return { status: 200, body: shell(`<p>${status}</p>`) };
  const target = new URL(url);
  target.searchParams.set('tokenID', token);
  target.searchParams.set('payResult', good ? 'success' : 'failure');
  return { status: 303, headers: { location: target.href } };
}

function form({ amountMinor, currency, reference }: SimulatedPayment, hint = ''): Reply {
  return {
    status: 200,
    body: shell(`<h1>Pay ${amountMinor} minor units ${currency}</h1><p>Payment ${reference}</p><p role="alert">${hint}</p>
<form method="post"><label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" required></label>
<label>Expiry <input name="expiry" autocomplete="cc-exp"></label><label>CVC <input name="cvc" autocomplete="cc-csc"></label>
<button>Pay</button></form>`),
  };
}

const shell = (content: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Payment</title><main>${content}</main></html>`;
