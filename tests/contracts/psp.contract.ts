import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import type { Psp, PspAnswer, PspOrder } from '#payment/psp/psp.js';
import type { PspCard } from '#payment/psp/psp-card.js';
import type { PspCardPageOrder } from '#payment/psp/psp-card-page.js';
import type { PspDisputeAnswer } from '#payment/psp/psp-dispute.js';
import type { PspEvent, WebhookRequest } from '#payment/psp/psp-event.js';
import type { PspPayment } from '#payment/psp/psp-payment.js';
import type { PspSettlementLine } from '#payment/psp/psp-settlement.js';
import { testCards } from '#payment-simulator/cards.js';
import type { CallFault, FaultPlan } from '#payment-simulator/faults.js';
import { type RunningSimulator, startPspSimulator } from '#payment-simulator/psp-simulator.js';
import { browsePage } from '../browse-page.js';
import { eventually } from '../eventually.js';

const apiKey = 'sk_test_contract';
const webhookSecrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
const timeoutMs = 300;
const toleranceMs = 300_000;
const urls = { success: 'https://shop.invalid/back', failure: 'https://shop.invalid/back' };

export interface PspParts {
  readonly urls: { readonly success: string; readonly failure: string };
  readonly secrets: readonly string[];
  readonly nowMs: () => number;
}

export interface PspUnderTest {
  readonly name: string;
  /** For an order with a card token, or for one that is paid on a page. */
  open(https: PinnedHttps, kind: 'card' | 'page', parts: PspParts): Psp;
  /** What the provider settled today; `psp` is one of those that `open` made. */
  settlement(psp: Psp, simulator: RunningSimulator): Promise<readonly PspSettlementLine[]>;
  /** The fee of the simulator for a charge. */
  fee(amountMinor: bigint): bigint;
}

/** What each adapter of a provider does, asked of the simulator in the provider's own protocol. */
export function pspContract(under: PspUnderTest): void {
  describe(`the provider port: ${under.name}`, () => {
    let simulator: RunningSimulator;
    let https: PinnedHttps;
    let card: Psp;
    let page: Psp;
    let shop: Server;
    let offsetMs = 0;
    const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
    const nowMs = () => Date.now() + offsetMs;
    const parts = { urls, secrets: webhookSecrets, nowMs };

    beforeAll(async () => {
      simulator = await startPspSimulator({ seed: 5, apiKey, webhookSecrets });
      https = connect(apiKey);
      card = under.open(https, 'card', parts);
      page = under.open(https, 'page', parts);
      shop = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          heard.push({ headers: request.headers, body });
          response.writeHead(204).end();
        });
      });
      await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
      await control('/webhooks', { url, stripe_url: url });
    });
    afterAll(async () => {
      https?.close();
      await simulator?.close();
      shop?.close();
    });

    const connect = (key: string, baseUrl = simulator.url): PinnedHttps =>
      pinnedHttps({
        baseUrl,
        apiKey: key,
        pins: [simulator.pin],
        authorities: simulator.certificate,
        timeoutMs,
      });

    const control = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const response = await fetch(simulator.controlUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    };
    const faults = (plan: Partial<FaultPlan>) => control('/faults', plan);
    const sleep = async (ms: number): Promise<void> => {
      await control('/clock', { advance_ms: ms });
      offsetMs += ms;
    };

    let orders = 0;
    const order = (more: Partial<PspOrder> = {}): PspOrder => {
      orders += 1;
      return {
        nonce: `order-${orders}`,
        amountMinor: 1_050n,
        currency: 'EUR',
        expiresMs: nowMs() + 15 * 60_000,
        attempt: 1,
        ...more,
      };
    };
    const withCard = (cardToken: string, more: Partial<PspOrder> = {}): PspOrder =>
      order({ cardToken, ...more });

    /** Begins like the executor: the reference is kept, and is part of the next call. */
    const begin = async (psp: Psp, wanted: PspOrder): Promise<readonly [PspAnswer<PspPayment>, PspOrder]> => {
      let kept = wanted;
      const answer = await psp.begin(wanted, (reference) => {
        kept = { ...kept, reference };
        return Promise.resolve(true);
      });
      const reference = answer.kind === 'known' ? { reference: answer.value.reference } : {};
      return [answer, { ...kept, ...reference }];
    };
    const known = (answer: PspAnswer<PspPayment>): PspPayment => {
      if (answer.kind !== 'known') throw new Error(`not known: ${JSON.stringify(answer)}`);
      return answer.value;
    };

    /** How often the provider took money for an order, by its own record. */
    const charges = async (nonce: string): Promise<number> => {
      const response = await fetch(`${simulator.controlUrl}/record`);
      const lines = (await response.json()) as { kind: string; payment?: SimulatedPayment }[];
      const before = new Map<string, string>();
      let count = 0;
      for (const { payment } of lines) {
        if (payment === undefined || (payment.stripe?.metadata['nonce'] ?? payment.nonce) !== nonce) continue;
        if (payment.status === 'captured' && before.get(payment.nonce) !== 'captured') count += 1;
        before.set(payment.nonce, payment.status);
      }
      return count;
    };

    const browse = (url: string, form?: Record<string, string>) =>
      browsePage(url, simulator.certificate, form);

    /** Directly with a card token, or by a buyer on the page that a token finds. */
    const styles = ['card', 'page'] as const;
    type Style = (typeof styles)[number];
    const portOf = (style: Style): Psp => (style === 'card' ? card : page);
    /** The same good card in both styles: what the port says afterwards, and the order with its reference. */
    const pay = async (
      style: Style,
      more: Partial<PspOrder> = {},
    ): Promise<readonly [PspPayment, PspOrder]> => {
      if (style === 'card') {
        const [answer, kept] = await begin(card, withCard('tok_captured', more));
        return [known(answer), kept];
      }
      const [answer, registered] = await begin(page, order(more));
      expect(known(answer)).toMatchObject({ status: 'registered', capturedMinor: 0n });
      expect(await charges(registered.nonce)).toBe(0);
      await browse(known(answer).pageUrl!, { number: '4242424242424242' });
      // The page's own name is replaced by that of the payment, which is asked from then on.
      const paid = known(await page.query(registered));
      const kept = { ...registered, reference: paid.reference };
      return [known(await page.query(kept)), kept];
    };

    describe.each(styles)('in the style of a %s', (style) => {
      it.each([
        ['EUR', 1_050n],
        ['JPY', 500n],
        ['KWD', 12_340n],
      ])('charges a card once, in %s', async (currency, amountMinor) => {
        const [paid, kept] = await pay(style, { currency, amountMinor });
        expect(paid).toMatchObject({
          nonce: kept.nonce,
          status: 'captured',
          amountMinor,
          capturedMinor: amountMinor,
          currency,
        });
        const [again] = await begin(portOf(style), { ...kept, attempt: 2 });
        expect(known(again)).toMatchObject({ status: 'captured', capturedMinor: amountMinor });
        expect(known(await portOf(style).query(kept))).toEqual(paid);
        expect(await charges(kept.nonce)).toBe(1);
      });

      it('refuses more than was authorized', async () => {
        const [, kept] = await pay(style, { manual: true });
        const answer = await portOf(style).capture(kept, 1_051n);
        expect(answer.kind === 'known' ? answer.value.status : answer.kind).not.toBe('captured');
        expect(await charges(kept.nonce)).toBe(0);
      });

      it('releases an authorization, which cannot be captured any more', async () => {
        const [, kept] = await pay(style, { manual: true });
        expect(known(await portOf(style).cancel(kept)).status).toBe('voided');
        const late = await portOf(style).capture(kept, 1_050n);
        expect(late.kind === 'known' ? late.value.status : late.kind).not.toBe('captured');
        expect(await charges(kept.nonce)).toBe(0);
      });

      it('says that it was too late to close a payment that was made', async () => {
        const [, kept] = await pay(style);
        expect(known(await portOf(style).cancel(kept))).toMatchObject({
          status: 'captured',
          capturedMinor: 1_050n,
        });
      });

      it('refunds parts, each once, and not more than was taken', async () => {
        const [, kept] = await pay(style);
        const part = (nonce: string, amountMinor: bigint, attempt = 1) =>
          portOf(style).refund({
            nonce: `${kept.nonce}-${nonce}`,
            paymentNonce: kept.nonce,
            paymentReference: kept.reference!,
            amountMinor,
            currency: 'EUR',
            attempt,
          });
        const refunded = () =>
          [...simulator.book.refunds.values()]
            .filter((refund) => [kept.nonce, kept.reference].includes(refund.paymentNonce))
            .map(({ amountMinor }) => Number(amountMinor));
        expect(await part('a', 400n)).toMatchObject({ value: { status: 'refunded', amountMinor: 400n } });
        expect(await part('a', 400n)).toMatchObject({ value: { status: 'refunded', amountMinor: 400n } });
        for (const [nonce, fault] of [
          ['b', 'drop-after'],
          ['c', 'error-after'],
          ['d', 'delay-after'],
        ] as const) {
          await faults({ next: [{ operation: 'refunds', fault }], delayMs: 2 * timeoutMs });
          expect((await part(nonce, 100n)).kind).toBe('unknown');
          expect(await part(nonce, 100n, 2)).toMatchObject({ value: { status: 'refunded' } });
        }
        expect(await part('e', 351n)).toMatchObject({ kind: 'refused' });
        expect(refunded()).toEqual([400, 100, 100, 100]);
      });

      it('settles what it took and gave back', async () => {
        const [, kept] = await pay(style, { amountMinor: 10_000n });
        const { nonce, reference } = kept;
        await portOf(style).refund({
          nonce: `${nonce}-r`,
          paymentNonce: nonce,
          paymentReference: reference!,
          amountMinor: 400n,
          currency: 'EUR',
          attempt: 1,
        });
        const { id } = await control('/disputes', { nonce, amount_minor: '9600' });
        await control('/disputes/close', { id, status: 'won' });
        const lines = await under.settlement(portOf(style), simulator);
        const mine = lines.filter((line) => line.nonce === nonce);
        expect(
          mine.map(({ kind, operation, amountMinor, currency, succeeded }) => [
            kind,
            operation,
            amountMinor,
            currency,
            succeeded,
          ]),
        ).toEqual([
          ['charge', nonce, 10_000n, 'EUR', true],
          ['refund', `${nonce}-r`, 400n, 'EUR', true],
          ['dispute', id, 9_600n, 'EUR', true],
          ['dispute_won', id, 9_600n, 'EUR', true],
        ]);
        expect(mine[0]).toMatchObject({ reference, feeMinor: under.fee(10_000n) });
      });
    });

    it('registers a payment, whose page takes the card', async () => {
      const [answer, kept] = await begin(page, order());
      const { status, pageUrl, token } = known(answer);
      expect([status, token === undefined]).toEqual(['registered', false]);
      const { status: redirect, location } = await browse(pageUrl!, { number: '4242424242424242' });
      expect(redirect).toBe(303);
      expect(new URL(location).searchParams.get('tokenID')).toBe(token);
      expect(known(await page.query(kept))).toMatchObject({ status: 'captured', capturedMinor: 1_050n });
      expect(await charges(kept.nonce)).toBe(1);
    });

    it.each([
      ['tok_declined', 'card_declined'],
      ['tok_funds', 'insufficient_funds'],
      ['tok_expired', 'expired_card'],
      ['tok_cvc', 'incorrect_cvc'],
      ['tok_address', 'address_mismatch'],
      ['tok_fraud', 'suspected_fraud'],
      ['tok_stolen', 'stolen_card'],
    ])('names the reason of %s in our words', async (token, code) => {
      const [answer, kept] = await begin(card, withCard(token));
      expect(known(answer)).toMatchObject({ status: 'declined', code, capturedMinor: 0n });
      expect(known(await card.query(kept))).toEqual(known(answer));
      expect(await charges(kept.nonce)).toBe(0);
    });

    it.each(testCards.filter(({ outcome }) => outcome.result === 'declined'))(
      'takes nothing on its page from $token',
      async ({ number, outcome }) => {
        const [answer, kept] = await begin(page, order());
        await browse(known(answer).pageUrl!, { number });
        const asked = known(await page.query(kept));
        // A page of Stripe stays, and takes another card.
        const end = 'code' in outcome ? { status: 'declined', code: outcome.code } : {};
        expect(asked).toMatchObject(asked.status === 'registered' ? {} : end);
        expect(asked.capturedMinor).toBe(0n);
        expect(await charges(kept.nonce)).toBe(0);
      },
    );

    it('refuses a card token that does not exist', async () => {
      const [answer] = await begin(card, withCard('tok_nobody'));
      const code = answer.kind === 'known' ? answer.value.code : answer.kind === 'refused' ? answer.code : '';
      expect(code).toBe('unknown_card_token');
    });

    describe('authorize now, capture later', () => {
      const authorized = async (token = 'tok_captured') => {
        const [answer, kept] = await begin(card, withCard(token, { manual: true }));
        return { payment: known(answer), kept };
      };

      it('takes nothing before the capture, then a part of it, once', async () => {
        const { payment, kept } = await authorized();
        expect(payment).toMatchObject({ status: 'authorized', amountMinor: 1_050n, capturedMinor: 0n });
        expect(await charges(kept.nonce)).toBe(0);
        const captured = known(await card.capture(kept, 400n));
        expect(captured).toMatchObject({ status: 'captured', capturedMinor: 400n });
        expect(known(await card.capture(kept, 400n))).toMatchObject({
          status: 'captured',
          capturedMinor: 400n,
        });
        expect((await card.capture(kept, 500n)).kind).toBe('refused');
        expect(known(await card.query(kept))).toMatchObject({ status: 'captured', capturedMinor: 400n });
        expect(await charges(kept.nonce)).toBe(1);
      });

      it('only authorizes after a challenge', async () => {
        const { payment, kept } = await authorized('tok_challenge');
        await browse(payment.pageUrl!, { answer: 'approve' });
        expect(known(await card.query(kept))).toMatchObject({ status: 'authorized', capturedMinor: 0n });
        expect(known(await card.capture(kept, 1_050n)).status).toBe('captured');
      });

      it('only authorizes the card of a page', async () => {
        const [answer, kept] = await begin(page, order({ manual: true }));
        await browse(known(answer).pageUrl!, { number: '4242424242424242' });
        // The page's own name is replaced by that of the payment, which is asked from then on.
        const paid = known(await page.query(kept));
        const now = known(await page.query({ ...kept, reference: paid.reference }));
        expect(now).toMatchObject({ status: 'authorized', capturedMinor: 0n });
        const captured = await page.capture({ ...kept, reference: paid.reference }, 1_050n);
        expect(known(captured)).toMatchObject({ status: 'captured', capturedMinor: 1_050n });
        expect(await charges(kept.nonce)).toBe(1);
      });
    });

    describe('3-D Secure', () => {
      const challenged = async () => {
        const [answer, kept] = await begin(card, withCard('tok_challenge'));
        const payment = known(answer);
        expect(payment).toMatchObject({ status: 'challenge', capturedMinor: 0n });
        return { kept, url: payment.pageUrl! };
      };

      it('charges after the buyer confirmed at the bank, and once', async () => {
        const { kept, url } = await challenged();
        expect((await browse(url)).text).toContain('Confirm');
        expect((await browse(url, { answer: 'approve' })).status).toBe(303);
        await browse(url, { answer: 'approve' });
        expect(known(await card.query(kept))).toMatchObject({ status: 'captured', capturedMinor: 1_050n });
        expect(await charges(kept.nonce)).toBe(1);
      });

      it('charges nothing after the buyer refused', async () => {
        const { kept, url } = await challenged();
        await browse(url, { answer: 'refuse' });
        expect(known(await card.query(kept))).toMatchObject({
          status: 'declined',
          code: 'authentication_failed',
        });
        await browse(url, { answer: 'approve' });
        expect(await charges(kept.nonce)).toBe(0);
      });

      it('ends an abandoned challenge, after which nothing is charged', async () => {
        const { kept, url } = await challenged();
        expect(known(await card.cancel(kept)).status).toBe('voided');
        await browse(url, { answer: 'approve' });
        expect(known(await card.query(kept)).status).toBe('voided');
        expect(await charges(kept.nonce)).toBe(0);
      });

      it('fails when the bank gives up waiting', async () => {
        const { kept, url } = await challenged();
        await sleep(11 * 60_000);
        expect(known(await card.query(kept))).toMatchObject({
          status: 'declined',
          code: 'authentication_timeout',
        });
        await browse(url, { answer: 'approve' });
        expect(await charges(kept.nonce)).toBe(0);
      });

      it('asks nothing when the bank is satisfied', async () => {
        const [answer, kept] = await begin(card, withCard('tok_frictionless'));
        expect(known(answer).status).toBe('captured');
        expect(await charges(kept.nonce)).toBe(1);
      });

      it('leads from the page to the bank and back', async () => {
        const [answer, kept] = await begin(page, order());
        const { pageUrl, token } = known(answer);
        const typed = await browse(pageUrl!, { number: '4000000000003220' });
        const bank = new URL(typed.location, pageUrl).href;
        expect(await charges(kept.nonce)).toBe(0);
        const { location } = await browse(bank, { answer: 'approve' });
        expect(new URL(location).searchParams.get('tokenID')).toBe(token);
        expect(known(await page.query(kept)).status).toBe('captured');
      });
    });

    describe('cards that the provider keeps', () => {
      /** A buyer agrees, and pays with a card on the page. */
      const kept = async (number = '4242424242424242') => {
        const [answer, registered] = await begin(page, order({ keepCard: true }));
        await browse(known(answer).pageUrl!, { number, expiry: '12/30', keep: 'on' });
        const { reference } = known(await page.query(registered));
        const paid = { ...registered, reference };
        return { paid, card: cardIn(await page.keptCard(paid)) };
      };
      const cardIn = (answer: PspAnswer<PspCard>): PspCard => {
        if (answer.kind !== 'known') throw new Error(`no card: ${JSON.stringify(answer)}`);
        return answer.value;
      };
      const paidWith = async ({ token, customer }: PspCard, more: Partial<PspOrder> = {}) => {
        const [answer, after] = await begin(page, order({ savedCard: { token, customer }, ...more }));
        return { answer, nonce: after.nonce, after };
      };
      const deleted = { kind: 'known', value: 'deleted' };

      it('keeps a card that was paid with on its page, and charges it without the page, once', async () => {
        const { paid, card: saved } = await kept();
        expect(saved).toMatchObject({ brand: 'visa', last4: '4242', expiryMonth: '2030-12' });
        expect(await page.keptCard(paid)).toEqual({ kind: 'known', value: saved });
        const { answer, nonce, after } = await paidWith(saved);
        expect(known(answer)).toMatchObject({ status: 'captured', capturedMinor: 1_050n });
        expect(known((await begin(page, { ...after, attempt: 2 }))[0]).status).toBe('captured');
        expect(await charges(nonce)).toBe(1);
        // The payment with a kept card leaves no other one behind.
        expect(await page.keptCard({ ...after, reference: known(answer).reference })).toEqual({
          kind: 'absent',
        });
      });

      it('keeps a card that was typed into its fields', async () => {
        const [answer, after] = await begin(card, withCard('tok_captured', { keepCard: true }));
        expect(known(answer).status).toBe('captured');
        const saved = cardIn(await card.keptCard(after));
        expect(known((await paidWith(saved)).answer).status).toBe('captured');
      });

      it('keeps none without the consent of the buyer', async () => {
        const [answer, registered] = await begin(page, order());
        await browse(known(answer).pageUrl!, { number: '4242424242424242', expiry: '12/30', keep: 'on' });
        const { reference } = known(await page.query(registered));
        expect(await page.keptCard({ ...registered, reference })).toEqual({ kind: 'absent' });
      });

      it('lets only its customer be charged with it', async () => {
        const [one, other] = [await kept(), await kept()];
        expect(one.card.customer).not.toBe(other.card.customer);
        const { answer, nonce } = await paidWith({ ...one.card, customer: other.card.customer });
        const code = answer.kind === 'known' ? answer.value.code : answer.kind === 'refused' && answer.code;
        expect(code).toBe('unknown_card_token');
        expect(await charges(nonce)).toBe(0);
      });

      it('declines and challenges it like any card; without the buyer nothing can be confirmed', async () => {
        const { card: later } = await kept('4000000000000341');
        expect(known((await paidWith(later)).answer)).toMatchObject({
          status: 'declined',
          code: 'card_declined',
        });
        const [answer, registered] = await begin(page, order({ keepCard: true }));
        const form = { number: '4000000000003220', expiry: '12/30', keep: 'on' };
        const typed = await browse(known(answer).pageUrl!, form);
        await browse(new URL(typed.location, known(answer).pageUrl).href, { answer: 'approve' });
        const { reference } = known(await page.query(registered));
        const saved = cardIn(await page.keptCard({ ...registered, reference }));
        const asked = await paidWith(saved);
        expect(known(asked.answer).status).toBe('challenge');
        await browse(known(asked.answer).pageUrl!, { answer: 'approve' });
        const end = { ...asked.after, reference: known(asked.answer).reference };
        expect(known(await page.query(end)).status).toBe('captured');
        expect(known((await paidWith(saved, { offSession: true })).answer)).toMatchObject({
          status: 'declined',
          code: 'authentication_required',
        });
      });

      it('deletes it for good, as often as it is asked', async () => {
        const { paid, card: saved } = await kept();
        expect(await page.deleteCard(saved)).toEqual(deleted);
        expect(await page.deleteCard(saved)).toEqual(deleted);
        expect(await page.keptCard(paid)).toEqual({ kind: 'absent' });
        const { answer, nonce } = await paidWith(saved);
        const code = answer.kind === 'known' ? answer.value.code : answer.kind === 'refused' && answer.code;
        expect(code).toBe('unknown_card_token');
        expect(await charges(nonce)).toBe(0);
        expect(await page.deleteCard({ token: 'crd_nobody', customer: 'cus_nobody' })).toEqual(deleted);
      });

      it.each<CallFault>(['drop-before', 'drop-after', 'error-before', 'error-after', 'garbage-after'])(
        'deletes it although a call ended with %s',
        async (fault) => {
          const { card: saved } = await kept();
          await faults({ next: [{ operation: 'cards', fault }] });
          await page.deleteCard(saved);
          await faults({});
          expect(await page.deleteCard(saved)).toEqual(deleted);
          expect(simulator.book.chargeable(saved.token, saved.customer)).toBeUndefined();
        },
      );
    });

    describe('a page that takes one card for several orders', () => {
      let pages = 0;
      const cardPage = (more: Partial<PspCardPageOrder> = {}): PspCardPageOrder => {
        pages += 1;
        return {
          nonce: `page-${pages}`,
          payments: 3,
          totalMinor: 6_050n,
          currency: 'EUR',
          expiresMs: nowMs() + 15 * 60_000,
          attempt: 1,
          ...more,
        };
      };
      const opened = async (wanted = cardPage()) => {
        const answer = await page.openCardPage(wanted);
        if (answer.kind !== 'known' || answer.value.state.kind !== 'open')
          throw new Error(`not open: ${JSON.stringify(answer)}`);
        const { reference, token, state } = answer.value;
        return { order: { ...wanted, reference }, token, url: state.pageUrl };
      };
      const type = (url: string, number = '4242424242424242') => browse(url, { number, expiry: '12/30' });
      const stateOf = async (wanted: PspCardPageOrder) => {
        const answer = await page.cardPage(wanted);
        if (answer.kind !== 'known') throw new Error(`not known: ${JSON.stringify(answer)}`);
        return answer.value.state;
      };
      const taken = async (wanted: PspCardPageOrder): Promise<PspCard> => {
        const state = await stateOf(wanted);
        if (state.kind !== 'taken') throw new Error(`no card: ${JSON.stringify(state)}`);
        return state.card;
      };
      const pay = async ({ token, customer }: PspCard, more: Partial<PspOrder> = {}) => {
        const [answer, after] = await begin(page, order({ savedCard: { token, customer }, ...more }));
        return { payment: known(answer), after };
      };

      it('tells the buyer the total, takes the card once, and sends the buyer back', async () => {
        const { order: wanted, token, url } = await opened();
        const shown = await browse(url);
        expect(shown.text).toContain('60.50 EUR in 3 payments');
        expect(await stateOf(wanted)).toEqual({ kind: 'open', pageUrl: url });
        const typed = await type(url);
        expect(new URL(typed.location).searchParams.get('tokenID')).toBe(token);
        const card = await taken(wanted);
        expect(card).toMatchObject({ brand: 'visa', last4: '4242', expiryMonth: '2030-12' });
        // Another tab, with another card.
        await type(url, '4000000000003055');
        expect(await taken(wanted)).toEqual(card);
      });

      it('charges each order with it, once, without asking the bank again', async () => {
        const { order: wanted, url } = await opened();
        expect((await type(url, '4000000000003220')).text).toContain('Confirm 60.50 EUR in 3 payments');
        expect((await stateOf(wanted)).kind).toBe('open');
        await browse(url, { answer: 'approve' });
        const card = await taken(wanted);
        for (const amountMinor of [1_000n, 2_000n, 3_050n]) {
          const { payment, after } = await pay(card, { amountMinor });
          expect(payment).toMatchObject({ status: 'captured', capturedMinor: amountMinor });
          await begin(page, { ...after, attempt: 2 });
          expect(await charges(after.nonce)).toBe(1);
        }
      });

      it('takes another card after one that the bank declines or the buyer does not confirm', async () => {
        const { order: wanted, url } = await opened();
        expect((await type(url, '4000000000000002')).text).toContain('declined');
        await type(url, '4000000000003220');
        expect((await browse(url, { answer: 'refuse' })).text).toContain('did not confirm');
        expect((await stateOf(wanted)).kind).toBe('open');
        await type(url);
        expect((await taken(wanted)).last4).toBe('4242');
      });

      it('declines the orders for which the card has not enough, and only those', async () => {
        const { order: wanted, url } = await opened();
        await type(url, '4000000000009912');
        const card = await taken(wanted);
        expect((await pay(card, { amountMinor: 2_000n })).payment.status).toBe('captured');
        expect((await pay(card, { amountMinor: 2_001n })).payment).toMatchObject({
          status: 'declined',
          code: 'insufficient_funds',
        });
      });

      it('lets a bank ask for single orders', async () => {
        const { order: wanted, url } = await opened();
        await type(url, '4000000000003006');
        const { payment, after } = await pay(await taken(wanted));
        expect(payment.status).toBe('challenge');
        await browse(payment.pageUrl!, { answer: 'approve' });
        expect(known(await page.query({ ...after, reference: payment.reference })).status).toBe('captured');
      });

      it('closes it: it takes no card any more', async () => {
        const { order: wanted, url } = await opened();
        const over = { kind: 'known', value: { state: { kind: 'over' } } };
        expect(await page.closeCardPage(wanted)).toMatchObject(over);
        await type(url);
        expect(await page.closeCardPage(wanted)).toMatchObject(over);
        expect((await stateOf(wanted)).kind).toBe('over');
      });

      it('says that it was too late to close it, and deletes its card for good', async () => {
        const { order: wanted, url } = await opened();
        await type(url);
        const answer = await page.closeCardPage(wanted);
        const card = await taken(wanted);
        expect(answer).toMatchObject({ kind: 'known', value: { state: { kind: 'taken', card } } });
        expect(await page.deleteCard(card)).toEqual({ kind: 'known', value: 'deleted' });
        expect((await stateOf(wanted)).kind).toBe('over');
        expect(simulator.book.chargeable(card.token, card.customer)).toBeUndefined();
      });

      it('is over when nobody types a card in time', async () => {
        const { order: wanted } = await opened();
        await sleep(32 * 60_000);
        expect((await stateOf(wanted)).kind).toBe('over');
      });

      it.each<CallFault>(['drop-before', 'drop-after', 'error-before', 'error-after', 'garbage-after'])(
        'can be registered again after %s',
        async (fault) => {
          const wanted = cardPage();
          await faults({ next: [{ operation: 'card-pages', fault }] });
          expect((await page.openCardPage(wanted)).kind).not.toBe('known');
          await faults({});
          const again = await opened({ ...wanted, attempt: 2 });
          await type(again.url);
          expect((await taken(again.order)).last4).toBe('4242');
        },
      );

      it('announces that something happened, without the card', async () => {
        const { order: wanted, url } = await opened();
        const from = heard.length;
        await type(url);
        const { token } = await taken(wanted);
        await eventually(() => expect(heard.length).toBeGreaterThan(from));
        const { headers, body } = heard.at(-1)!;
        expect(body).not.toContain(token);
        const request = { header: (name: string) => headers[name] as string | undefined, body };
        expect(await page.webhook(request, nowMs(), toleranceMs)).toMatchObject({
          kind: 'read',
          event: { kind: 'card page', nonce: wanted.nonce },
        });
      });
    });

    it('closes a registration: its page takes no card any more', async () => {
      const [answer, kept] = await begin(page, order());
      expect(known(await page.cancel(kept)).status).toBe('voided');
      await browse(known(answer).pageUrl!, { number: '4242424242424242' });
      expect(known(await page.cancel(kept)).status).toBe('voided');
      expect(await charges(kept.nonce)).toBe(0);
    });

    it.each<CallFault>([
      'drop-before',
      'drop-after',
      'delay-after',
      'error-before',
      'error-after',
      'garbage-after',
    ])('charges once whatever happens to the call: %s', async (fault) => {
      for (const operation of ['charges', 'intents', 'confirm', 'registrations']) {
        await faults({ next: [{ operation, fault }], delayMs: 2 * timeoutMs });
        const wanted = operation === 'registrations' ? order() : withCard('tok_captured');
        const psp = operation === 'registrations' ? page : card;
        let kept = wanted;
        let end: PspPayment | undefined;
        for (let attempt = 1; attempt <= 6 && end === undefined; attempt += 1) {
          const [answer, next] = await begin(psp, { ...kept, attempt });
          kept = next;
          // As the executor: what is not known is asked for, and begun again only if it never arrived.
          const sure = answer.kind === 'unknown' ? await psp.query(kept) : answer;
          if (sure.kind === 'known') end = sure.value;
          else expect(['refused', 'absent']).toContain(sure.kind);
        }
        expect(end?.status).toBe(operation === 'registrations' ? 'registered' : 'captured');
        expect(await charges(kept.nonce)).toBe(operation === 'registrations' ? 0 : 1);
        await faults({});
      }
    });

    it('says that nothing was done: not sent, too busy, a wrong key', async () => {
      const nobody = connect(apiKey, 'https://localhost:1');
      const stranger = connect('sk_wrong');
      const refusals = [];
      for (const over of [nobody, stranger]) {
        const [answer] = await begin(under.open(over, 'card', parts), withCard('tok_captured'));
        refusals.push(answer);
        over.close();
      }
      await faults({ calls: { busy: 1 } });
      const [busy] = await begin(card, withCard('tok_captured'));
      await faults({});
      expect([...refusals, busy]).toMatchObject([
        { kind: 'refused', code: 'provider_unreachable' },
        { kind: 'refused', code: 'invalid_api_key' },
        { kind: 'refused', code: 'rate_limited', retryAfterMs: 1_000 },
      ]);
    });

    describe.each(styles)('answers to disputes, in the style of a %s', (style) => {
      const psp = { answerDispute: (answer: PspDisputeAnswer) => portOf(style).answerDispute(answer) };
      const opened = async (more: object = {}): Promise<string> => {
        const [, kept] = await pay(style);
        return String((await control('/disputes', { nonce: kept.nonce, ...more }))['id']);
      };
      const pdf = { purpose: 'receipt', contentType: 'application/pdf' } as const;
      const bytes = Buffer.concat([Buffer.from('%PDF-1.7\r\n\r\n--'), Buffer.from([0, 255, 13, 10, 200])]);
      const evidence = (disputeId: string, nonce = `${disputeId}-1`) => ({
        kind: 'evidence' as const,
        disputeId,
        nonce,
        texts: { explanation: 'Delivered on time.', refund_policy: 'Müller & Söhne: 14 days' },
        documents: [{ id: `${disputeId}-d`, ...pdf, bytes }],
      });
      const kept = (id: string) => simulator.book.disputes.get(id);

      it('sends texts and documents, and has one effect however often it is repeated', async () => {
        const id = await opened();
        expect(await psp.answerDispute(evidence(id))).toEqual({ kind: 'known', value: 'received' });
        expect(await psp.answerDispute(evidence(id))).toEqual({ kind: 'known', value: 'received' });
        const { texts, documents } = kept(id)!.evidence!;
        expect(Object.values(texts).toSorted()).toEqual(['Delivered on time.', 'Müller & Söhne: 14 days']);
        const files = Object.values(documents).map((file) => simulator.book.files.get(file));
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        expect(files).toMatchObject([{ sha256, size: bytes.length, contentType: 'application/pdf' }]);
        expect(kept(id)!.status).toBe('opened');
      });

      it.each<CallFault>(['drop-before', 'drop-after', 'error-before', 'error-after', 'garbage-after'])(
        'is received once after %s',
        async (fault) => {
          for (const operation of ['documents', 'evidence'] as const) {
            const id = await opened();
            await faults({ next: [{ operation, fault }] });
            const first = await psp.answerDispute(evidence(id));
            if (first.kind !== 'known') expect(['unknown', 'refused']).toContain(first.kind);
            // A key of Stripe repeats an error of its server, so the next attempt may be another one.
            const again = await psp.answerDispute(evidence(id));
            expect(again.kind === 'known' || fault.startsWith('error')).toBe(true);
            if (again.kind === 'known') expect(kept(id)!.evidence).toBeDefined();
          }
        },
      );

      it('refuses evidence after the deadline', async () => {
        const id = await opened({ due_ms: nowMs() - 1_000 });
        expect((await psp.answerDispute(evidence(id))).kind).toBe('refused');
        expect(kept(id)!.evidence).toBeUndefined();
      });

      it('gives a dispute up, once', async () => {
        const id = await opened();
        const acceptance = { kind: 'acceptance', disputeId: id, nonce: `${id}-1` } as const;
        for (let attempt = 0; attempt < 2; attempt += 1)
          expect(await psp.answerDispute(acceptance)).toEqual({ kind: 'known', value: 'received' });
        expect(kept(id)!.status).toBe('lost');
      });

      it('refuses an answer to a dispute that does not exist', async () => {
        expect((await psp.answerDispute(evidence('dsp_nobody'))).kind).toBe('refused');
      });
    });

    describe('webhooks', () => {
      const requestOf = (at: number): WebhookRequest => ({
        header: (name) => heard[at]!.headers[name] as string | undefined,
        body: heard[at]!.body,
      });
      /** All that was heard about one payment order, in our words. */
      const about = async (nonce: string): Promise<readonly PspEvent[]> => {
        const events: PspEvent[] = [];
        for (const at of heard.keys()) {
          const reading = await card.webhook(requestOf(at), nowMs(), toleranceMs);
          if (reading.kind !== 'read') continue;
          const { event } = reading;
          if (event.kind === 'payment' && event.payment.nonce === nonce) events.push(event);
          if (event.kind === 'dispute' && event.dispute.nonce === nonce) events.push(event);
          if (event.kind === 'refund' && event.refund.nonce === `${nonce}-r`) events.push(event);
        }
        return events;
      };

      it.each(styles)(
        'reports charges, refunds and disputes as a query does, in the style of a %s',
        async (style) => {
          const [paid, kept] = await pay(style);
          await portOf(style).refund({
            nonce: `${kept.nonce}-r`,
            paymentNonce: kept.nonce,
            paymentReference: kept.reference!,
            amountMinor: 50n,
            currency: 'EUR',
            attempt: 1,
          });
          const dueMs = (Math.floor(nowMs() / 1_000) + 3_600) * 1_000;
          const opening = { nonce: kept.nonce, amount_minor: '1000', due_ms: dueMs };
          const { id } = await control('/disputes', opening);
          await control('/disputes/close', { id, status: 'won' });
          const dispute = {
            id,
            nonce: kept.nonce,
            amountMinor: 1_000n,
            currency: 'EUR',
            dueMs: Math.floor(dueMs / 1_000) * 1_000,
            reason: 'fraudulent',
          };
          await eventually(async () => {
            const events = await about(kept.nonce);
            const captured = events.find(
              (event) => event.kind === 'payment' && event.payment.status === 'captured',
            );
            const { token: _, pageUrl: __, ...payment } = paid;
            expect(captured).toMatchObject({ payment });
            expect(events).toContainEqual({
              kind: 'dispute',
              dispute: expect.objectContaining({ ...dispute, status: 'opened' }),
            });
            expect(events).toContainEqual({
              kind: 'dispute',
              dispute: expect.objectContaining({ ...dispute, status: 'won' }),
            });
            expect(events.find(({ kind }) => kind === 'refund')).toMatchObject({
              refund: { status: 'refunded', amountMinor: 50n, currency: 'EUR' },
            });
          });
        },
      );

      it('reports what becomes of a page', async () => {
        const [answer, kept] = await begin(page, order());
        await browse(known(answer).pageUrl!, { number: '4242424242424242' });
        await eventually(async () =>
          expect((await about(kept.nonce)).at(-1)).toMatchObject({
            payment: { status: 'captured', capturedMinor: 1_050n },
          }),
        );
      });

      it('sends a doubled webhook under one id', async () => {
        await faults({ webhooks: { doubled: 1 } });
        const from = heard.length;
        await begin(card, withCard('tok_captured'));
        await faults({});
        await eventually(() => expect(heard.length - from).toBeGreaterThanOrEqual(3));
        const ids = new Map<string, number>();
        for (let at = from; at < heard.length; at += 1) {
          const reading = await card.webhook(requestOf(at), nowMs(), toleranceMs);
          if (reading.kind === 'read') ids.set(reading.id, (ids.get(reading.id) ?? 0) + 1);
        }
        expect(Math.max(...ids.values())).toBe(3);
      });

      it('refuses what is altered, unsigned, signed by another, too old or from the future', async () => {
        await begin(card, withCard('tok_captured'));
        await eventually(() => expect(heard.length).toBeGreaterThan(0));
        const good = requestOf(heard.length - 1);
        const ask = async (request: WebhookRequest, at = nowMs(), psp = card) => {
          const reading = await psp.webhook(request, at, toleranceMs);
          return reading.kind === 'refused' ? reading.reason : reading.kind;
        };
        const stranger = under.open(https, 'card', {
          ...parts,
          secrets: [`whsec_${Buffer.alloc(24, 9).toString('base64')}`],
        });
        expect(await ask(good)).toBe('read');
        expect(await ask({ ...good, body: good.body.replace('1050', '1051') })).toBe('forged');
        expect(await ask({ ...good, header: () => undefined })).toBe('unsigned');
        expect(await ask(good, nowMs(), stranger)).toBe('forged');
        expect(await ask(good, nowMs() + 301_000)).toBe('too old');
        expect(await ask(good, nowMs() - 400_000)).toBe('from the future');
      });
    });
  });
}

interface SimulatedPayment {
  readonly nonce: string;
  readonly status: string;
  readonly stripe?: { readonly metadata: Readonly<Record<string, string>> };
}
