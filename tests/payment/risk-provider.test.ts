import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { httpsRiskCheck, strictestOf } from '#payment/risk/https-risk-check.js';
import { assessOrWait, type RiskCheck } from '#payment/risk/risk-check.js';
import { type Certificate, makeCertificate } from '#payment-simulator/certificate.js';
import { readConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';
import { proves } from '#tools/acceptance/proves.js';
import { OrdersRoom } from './orders-fixture.js';

const subject = {
  caller: 'ada',
  checkoutId: 'c',
  buyer: ['not for others'],
  nowMs: Date.parse('2027-01-01T00:00:00Z'),
  orders: [{ id: 'o', sellerAccount: 'DE02', amountMinor: 1_050n }],
};

describe('a risk check over HTTPS', () => {
  let answer: { status: number; body: string };
  let asked: string[] = [];
  let certificate: Certificate;
  let server: ReturnType<typeof createServer>;
  let check: RiskCheck;

  beforeAll(async () => {
    certificate = makeCertificate('risk', Date.now());
    server = createServer({ key: certificate.key, cert: certificate.certificate }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        asked.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
        if (answer.status === 0) request.destroy();
        else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    check = httpsRiskCheck(
      pinnedHttps({
        baseUrl: `https://localhost:${port}`,
        apiKey: 'k',
        pins: [certificate.pin],
        authorities: certificate.certificate,
        timeoutMs: 2_000,
      }),
    );
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  proves('P-006', {
    asked: 'the provider says block or review',
    shown: 'a risk provider over pinned HTTPS: each of its decisions and reasons is taken as it is',
    control: {
      in: 'payment/risk/https-risk-check.ts',
      change: "['allow', 'review', 'block']",
      to: "['allow', 'review']",
    },
  });
  it('P-006, P-114: its decision is used as it is, and it receives only ids and amounts', async () => {
    for (const decision of ['allow', 'review', 'block'] as const) {
      answer = { status: 200, body: JSON.stringify({ decision, reason: 'velocity' }) };
      expect(await check.assess(subject)).toEqual({ decision, reason: 'velocity' });
    }
    expect(asked[0]).toBe(
      'POST /v1/assessments {"caller":"ada","checkout_id":"c","at":"2027-01-01T00:00:00.000Z","orders":[{"payment_order_id":"o","amount_minor":"1050"}]}',
    );
    asked = [];
  });

  proves('P-006', {
    asked: 'provider down: documented fail-open or fail-closed',
    shown: 'closed: after eight kinds of unusable answers, and with its server gone, the payment is reviewed',
    control: {
      in: 'payment/risk/risk-check.ts',
      change: "    return { decision: 'review', reason: 'risk_check_unavailable' };",
      to: "    return { decision: 'allow', reason: 'risk_check_unavailable' };",
    },
  });
  it('P-006: after an unusable answer the payment waits for a person', async () => {
    for (const [status, body] of [
      [500, '{}'],
      [200, 'what'],
      [200, '{"decision":"maybe","reason":"x"}'],
      [200, '{"decision":"allow","reason":"A sentence."}'],
      [200, '{"decision":"allow"}'],
      [404, '{"decision":"allow","reason":"x"}'],
      [200, 'null'],
      [200, '"allow"'],
    ] as const) {
      answer = { status, body };
      await expect(check.assess(subject)).rejects.toThrow(
        `The risk check answered ${status}, which cannot be understood.`,
      );
      expect(await assessOrWait(check, subject)).toEqual({
        decision: 'review',
        reason: 'risk_check_unavailable',
      });
    }
    const gone = pinnedHttps({ baseUrl: 'https://127.0.0.1:1', apiKey: 'k', pins: [certificate.pin] });
    expect(await assessOrWait(httpsRiskCheck(gone), subject)).toMatchObject({ decision: 'review' });
    await expect(httpsRiskCheck(gone).assess(subject)).rejects.toThrow('The risk check did not answer: ');
    gone.close();
  });

  proves('P-006', {
    asked: 'the provider says block: no call; review: pending; down: fail-closed',
    shown: 'payments with this provider behind our rules: block, review, 500, no connection; no call in any',
    control: {
      in: 'payment/risk/https-risk-check.ts',
      change: 'decisions.indexOf(one.decision) > decisions',
      to: 'decisions.indexOf(one.decision) < decisions',
    },
  });
  it('P-006: payments obey it: blocked or waiting, the payment provider is not asked', async () => {
    const room = await OrdersRoom.open({
      style: 'direct',
      risk: strictestOf([
        { name: 'rules', assess: async () => ({ decision: 'allow', reason: 'nothing_unusual' }) },
        { name: 'provider', assess: (subjects) => check.assess(subjects) },
      ]),
    });
    try {
      const blocked = { payment_order_status: 'FAILED', failure_code: 'risk_blocked', is_final: true };
      const waiting = { payment_order_status: 'NOT_STARTED', pending: 'review', is_final: false };
      for (const [status, decision, end] of [
        [200, 'block', blocked],
        [200, 'review', waiting],
        [500, 'allow', waiting],
        [0, 'allow', waiting],
      ] as const) {
        answer = { status, body: JSON.stringify({ decision, reason: 'velocity' }) };
        const order = await room.pay({}, 'tok_captured');
        expect([status, decision, order]).toMatchObject([status, decision, end]);
        expect(asked.at(-1)).toContain(order.payment_order_id);
      }
      // One that it allows is charged: so the record would have the others.
      answer = { status: 200, body: JSON.stringify({ decision: 'allow', reason: 'velocity' }) };
      const { payment_order_id: allowed } = await room.pay({}, 'tok_captured');
      await room.settled(allowed);
      const nonces = (await room.record()).flatMap((line) =>
        line.kind === 'payment' ? [line.payment.nonce] : [],
      );
      expect(new Set(nonces)).toEqual(new Set([allowed]));
    } finally {
      await room.close();
    }
  });

  it('P-006: of several checks the strictest decision counts', async () => {
    const saying = (decision: 'allow' | 'review' | 'block'): RiskCheck => ({
      name: decision,
      assess: async () => ({ decision, reason: decision }),
    });
    const all = strictestOf([saying('allow'), saying('block'), saying('review')]);
    expect(all.name).toBe('allow+block+review');
    expect((await all.assess(subject)).decision).toBe('block');
    expect((await strictestOf([saying('allow'), saying('review')]).assess(subject)).decision).toBe('review');
    // Of two that are as strict, ours is first.
    const [ours, theirs] = ['a', 'b'].map((reason): RiskCheck => {
      return { name: reason, assess: async () => ({ decision: 'review', reason }) };
    });
    expect((await strictestOf([ours!, theirs!]).assess(subject)).reason).toBe('a');
    expect(httpsRiskCheck({ call: async () => ({ kind: 'not-sent', reason: '' }) }).name).toBe('provider');
  });

  proves('P-111', {
    asked: 'all calls over TLS; plain HTTP to the provider cannot be configured; TLS 1.2 or newer',
    shown: 'http:// is no value of any of four addresses; one server is called with TLS 1.2, not with 1.1',
    control: {
      in: 'payment/psp/pinned-https.ts',
      change: "if (base.protocol !== 'https:')",
      to: "if (base.protocol === 'ftp:')",
    },
  });
  it('P-111: plain HTTP cannot be configured, and TLS below 1.2 is refused', async () => {
    expect(() => pinnedHttps({ baseUrl: 'http://psp.invalid', apiKey: 'k', pins: ['p'] })).toThrow(
      'https://',
    );
    for (const name of ['PSP_BASE_URL', 'STRIPE_BASE_URL', 'STRIPE_FILES_URL', 'RISK_BASE_URL']) {
      const plain = readConfig(settings, { [name]: 'http://psp.invalid' });
      expect(plain).toMatchObject({ ok: false });
      if (!plain.ok) expect(plain.faults.join(' ')).toContain(name);
      expect(readConfig(settings, { [name]: 'https://psp.invalid' }).ok).toBe(true);
    }
    // The same server in all but its newest version.
    const callAt = async (maxVersion: 'TLSv1.1' | 'TLSv1.2') => {
      const server = createServer(
        {
          key: certificate.key,
          cert: certificate.certificate,
          minVersion: 'TLSv1',
          maxVersion,
          ciphers: 'DEFAULT@SECLEVEL=0',
        },
        (_, response) => response.end('{}'),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const https = pinnedHttps({
        baseUrl: `https://localhost:${(server.address() as AddressInfo).port}`,
        apiKey: 'k',
        pins: [certificate.pin],
        authorities: certificate.certificate,
        timeoutMs: 2_000,
      });
      const { kind } = await https.call('GET', '/');
      https.close();
      server.close();
      return kind;
    };
    expect(await callAt('TLSv1.1')).toBe('not-sent');
    expect(await callAt('TLSv1.2')).toBe('reply');
  });
});
