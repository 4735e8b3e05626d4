import { kindOfNumber, outcomeOfNumber } from './cards.js';
import type { Call, Reply } from './exchange.js';
import { expiryOf, shell, textOfMoney } from './page.js';
import type { PspStore } from './psp-store.js';
import type { SimulatedCardPage } from './record.js';

/**
 * `/card/{token}`: the page that takes one card for several payments. The buyer sees how many they are and
 * how much in all, types the card, confirms at the bank if it asks, and goes back to the shop.
 */
export function cardPageReply(call: Call, book: PspStore): Reply | undefined {
  const [, token] = /^\/card\/([\w-]{1,128})$/.exec(call.path) ?? [];
  if (token === undefined) return undefined;
  const page = book.cardPageByToken(token);
  if (page === undefined) return { status: 404, body: shell('<p>There is no such page.</p>') };
  if (page.status === 'challenge')
    return call.method === 'POST' ? answerBank(call, book, page) : bankForm(page);
  if (page.status !== 'open') return back(page);
  return call.method === 'POST' ? typeCard(call, book, page) : form(page);
}

function typeCard(call: Call, book: PspStore, page: SimulatedCardPage): Reply {
  const number = String(call.body['number'] ?? '').replaceAll(/[ -]/g, '');
  const cardExpiry = expiryOf(String(call.body['expiry'] ?? ''));
  if (cardExpiry === undefined) return form(page, 'Enter the expiry as month and year: 12/30.');
  const card = {
    brand: number.startsWith('4') ? 'visa' : 'card',
    last4: number.slice(-4),
    cardKind: kindOfNumber(number),
    cardExpiry,
  };
  const typed = book.typeCard(page.nonce, outcomeOfNumber(number), card, book.newId);
  if (!typed.ok)
    return form(
      page,
      typed.status === 503
        ? 'Your bank does not answer. Please try again.'
        : 'Your card was declined. Try another card.',
    );
  return typed.value.status === 'challenge' ? bankForm(typed.value) : back(typed.value);
}

function answerBank(call: Call, book: PspStore, page: SimulatedCardPage): Reply {
  const isApproved = call.body['answer'] === 'approve';
  const answered = book.answerPageChallenge(page.nonce, isApproved, book.newId);
  return answered.ok && answered.value.status === 'taken'
    ? back(answered.value)
    : form(page, 'Your bank did not confirm the card.');
}

function back({ token, status, successUrl, failureUrl, stripe }: SimulatedCardPage): Reply {
  const isGood = status === 'taken';
  const url = isGood ? successUrl : failureUrl;
  if (url === '') return { status: 200, body: shell(`<p>${status}</p>`) };
  const target = new URL(url.replace('{CHECKOUT_SESSION_ID}', token));
  if (stripe === undefined) {
    target.searchParams.set('tokenID', token);
    target.searchParams.set('payResult', isGood ? 'success' : 'failure');
  }
  return { status: 303, headers: { location: target.href } };
}

const totalOf = ({ payments, totalMinor, currency }: SimulatedCardPage): string =>
  `${textOfMoney(totalMinor, currency)}${payments === 1 ? '' : ` in ${payments} payments`}`;

const bankForm = (page: SimulatedCardPage): Reply => ({
  status: 200,
  body: shell(`<h1>Your bank</h1><p>Confirm ${totalOf(page)}.</p>
<form method="post"><button name="answer" value="approve">Confirm</button></form>
<form method="post"><button class="quiet" name="answer" value="refuse">Refuse</button></form>`),
});

const form = (page: SimulatedCardPage, hint = ''): Reply => ({
  status: 200,
  body: shell(`<h1>Pay ${totalOf(page)}</h1><p>Each seller charges your card once.</p><p role="alert">${hint}</p>
<form method="post" action="/card/${page.token}"><label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" required></label>
<label>Expiry <input name="expiry" autocomplete="cc-exp" required></label><label>CVC <input name="cvc" autocomplete="cc-csc"></label>
<button>Pay</button></form>`),
});
