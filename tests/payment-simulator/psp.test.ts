import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import { readSettlementFile } from '#payment/reconciliation/read-settlement-file.js';
import { Faults } from '#payment-simulator/faults.js';
import { PspStore } from '#payment-simulator/psp-store.js';
import { TruthRecord } from '#payment-simulator/record.js';
import { settlementMismatches } from '#payment-simulator/settlement.js';
import { type SpawnedPsp, spawnPsp } from '#payment-simulator/spawn-psp.js';
import { seededRandom } from '#platform/random/random.js';
import { calmDay } from '../calm-day.js';
import { eventually } from '../eventually.js';

const secrets = [8, 9].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
const order = (nonce: string) => ({
  nonce,
  amount_minor: '1000',
  currency: 'EUR',
  expires_at: new Date(Date.now() + 60_000).toISOString(),
});

describe('the records of the provider', () => {
  let clock = 1_000;
  const book = () => {
    let ids = 0;
    return new PspStore(
      new TruthRecord(),
      () => clock,
      (prefix) => {
        ids += 1;
        return `${prefix}_${ids}`;
      },
    );
  };
  const registration = {
    nonce: 'n',
    amountMinor: '1000',
    currency: 'EUR',
    expiresMs: 5_000,
    successUrl: '',
    failureUrl: '',
  };
  const card = { brand: 'visa', last4: '4242' };

  it('one nonce is one payment, however often it is requested, and never another', () => {
    const psp = book();
    const first = psp.register(registration);
    expect(psp.register(registration)).toEqual({ ...first, repeated: true });
    expect(psp.register({ ...registration, amountMinor: '1' })).toMatchObject({ ok: false, status: 422 });
    psp.pay('n', { result: 'captured' }, card, 'page');
    psp.pay('n', { result: 'captured' }, card, 'page');
    expect(psp.payment('n')).toMatchObject({ status: 'captured', capturedMinor: '1000', sequence: 2 });
  });

  it('a closed nonce is never charged, even if it was closed before it arrived', () => {
    const psp = book();
    expect(psp.void('late')).toMatchObject({ value: { status: 'voided' } });
    expect(psp.register({ ...registration, nonce: 'late' })).toMatchObject({ value: { status: 'voided' } });
    expect(psp.pay('late', { result: 'captured' }, card, 'page')).toMatchObject({
      value: { status: 'voided' },
    });
  });

  it('a registration expires by the clock', () => {
    const psp = book();
    psp.register(registration);
    clock = 5_000;
    expect(psp.payment('n')).toMatchObject({ status: 'expired', sequence: 2 });
    clock = 1_000;
  });

  it('refunds never exceed the captured amount; each nonce counts once', () => {
    const psp = book();
    psp.register(registration);
    psp.pay('n', { result: 'captured' }, card, 'page');
    expect(psp.refund('r1', 'n', '700', 'EUR')).toMatchObject({ ok: true, repeated: false });
    expect(psp.refund('r1', 'n', '700', 'EUR')).toMatchObject({ ok: true, repeated: true });
    expect(psp.refund('r2', 'n', '301', 'EUR')).toMatchObject({ ok: false, code: 'above_captured' });
    expect(psp.payment('n')).toMatchObject({ refundedMinor: '700' });
  });

  it('authorized money is captured or voided, once', () => {
    const psp = book();
    psp.register(registration);
    psp.pay('n', { result: 'authorized' }, card, 'page');
    expect(psp.capture('n')).toMatchObject({ value: { status: 'captured' } });
    expect(psp.void('n')).toMatchObject({ value: { status: 'captured' } });
  });

  it('the same seed gives the same faults', () => {
    const drawn = (seed: number) => {
      const faults = new Faults(seededRandom(seed).next);
      faults.set({ calls: { 'drop-after': 0.3, busy: 0.3 } });
      return Array.from({ length: 50 }, () => faults.ofCall('charges'));
    };
    expect(drawn(3)).toEqual(drawn(3));
    expect(drawn(3)).not.toEqual(drawn(4));
    expect(new Set(drawn(3))).toEqual(new Set([undefined, 'drop-after', 'busy']));
  });
});

describe('the provider as a separate process', () => {
  let folder: string;
  let psp: SpawnedPsp;
  let https: PinnedHttps;
  let shop: Server;
  const heard: { headers: Record<string, string>; body: string }[] = [];

  const start = async () => {
    psp = await spawnPsp({
      folder,
      seed: 1,
      apiKey: 'sk',
      webhookSecrets: secrets,
      webhookUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`,
    });
    const { url, pin, certificate } = psp.addresses;
    https = pinnedHttps({ baseUrl: url, apiKey: 'sk', pins: [pin], authorities: certificate });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'psp-'));
    shop = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        heard.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(heard.length === 1 ? 500 : 204).end();
      });
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    await start();
  });
  afterAll(async () => {
    https?.close();
    await psp?.close();
    shop?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps everything through kill -9: its state is rebuilt from its record', async () => {
    await https.call('POST', '/v1/charges', { ...order('k'), card_token: 'tok_captured' });
    process.kill(psp.processId, 'SIGKILL');
    https.close();
    await start();
    expect(await https.call('GET', '/v1/payments/k')).toMatchObject({
      body: { status: 'captured', sequence: 2 },
    });
    const again = await https.call('POST', '/v1/charges', { ...order('k'), card_token: 'tok_captured' });
    expect(again).toMatchObject({ status: 200, body: { already_processed: true } });
    const record = await readFile(join(folder, 'record.ndjson'), 'utf8');
    expect(
      record
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    ).toEqual([1, 2]);
  });

  it('keeps its address through kill -9, and a truncated record does not prevent a later start', async () => {
    const { url, controlUrl } = psp.addresses;
    const file = join(folder, 'record.ndjson');
    const before = await readFile(file, 'utf8');
    for (const cut of ['{"seq":99,"at', '{"seq":100']) {
      process.kill(psp.processId, 'SIGKILL');
      https.close();
      await appendFile(file, cut);
      await start();
      expect(psp.addresses).toMatchObject({ url, controlUrl });
      expect(await readFile(file, 'utf8')).toBe(before);
    }
  });

  it('has other names than another provider of its seed: both may serve one database', async () => {
    const firstToken = async () => {
      const other = await spawnPsp({
        folder: await mkdtemp(join(folder, 'other-')),
        seed: 1,
        apiKey: 'sk',
        webhookSecrets: secrets,
      });
      const { url, pin, certificate } = other.addresses;
      const theirs = pinnedHttps({ baseUrl: url, apiKey: 'sk', pins: [pin], authorities: certificate });
      try {
        const reply = await theirs.call('POST', '/v1/charges', {
          ...order('same'),
          card_token: 'tok_captured',
        });
        if (reply.kind !== 'reply') throw new Error(reply.reason);
        return (reply.body as { token: string }).token;
      } finally {
        theirs.close();
        await other.close();
      }
    };
    const first = await firstToken();
    expect(first).toMatch(/^reg_[0-9a-f]{32}$/);
    expect(await firstToken()).not.toBe(first);
  });

  it('signs webhooks by Standard Webhooks with every secret and retries until acknowledged', async () => {
    heard.length = 0;
    await https.call('POST', '/v1/charges', { ...order('w'), card_token: 'tok_captured' });
    await eventually(() => expect(heard.length).toBe(2));
    expect(heard[0]!.body).toBe(heard[1]!.body);
    for (const secret of secrets)
      expect(new Webhook(secret).verify(heard[1]!.body, heard[1]!.headers)).toMatchObject({
        type: 'payment.captured',
        data: { nonce: 'w', amount_minor: '1000' },
      });
  });

  it('rejects requests that are malformed, unknown, or without a key', async () => {
    expect(
      await https.call('POST', '/v1/registrations', { ...order('x'), amount_minor: '1.5' }),
    ).toMatchObject({ status: 400 });
    expect(await https.call('GET', '/v1/payments/nobody')).toMatchObject({
      status: 404,
      body: { code: 'unknown_nonce' },
    });
    expect(await https.call('POST', '/v1/nothing', {})).toMatchObject({ status: 404 });
    const { url, pin, certificate } = psp.addresses;
    const stranger = pinnedHttps({ baseUrl: url, apiKey: 'other', pins: [pin], authorities: certificate });
    expect(await stranger.call('GET', '/v1/payments/k')).toMatchObject({ status: 401 });
    stranger.close();
  });

  it('P-101: settles a day in a file that the reader accepts, also with injected errors', async () => {
    const day = await calmDay();
    for (const nonce of ['s1', 's2', 's3'])
      await https.call('POST', '/v1/charges', { ...order(nonce), card_token: 'tok_captured' });
    await https.call('POST', '/v1/refunds', {
      nonce: 'sr',
      payment_nonce: 's1',
      amount_minor: '300',
      currency: 'EUR',
    });
    const settled = async (mismatches: string) => {
      const { controlUrl } = psp.addresses;
      const answer = await fetch(`${controlUrl}/settlement?day=${day}&mismatches=${mismatches}`);
      const { file } = (await answer.json()) as { file: string };
      const none = () => Promise.resolve();
      return readSettlementFile(Readable.from([Buffer.from(file)]), { onHeader: none, onLines: none });
    };
    const { lines } = await settled('');
    expect(lines).toBeGreaterThanOrEqual(4);
    const oneOfEach = ['missing-at-provider', 'missing-inside', 'amount', 'duplicate'].join(',');
    expect((await settled(oneOfEach)).lines).toBe(lines + 1);
    expect(settlementMismatches).toHaveLength(9);
    for (const mismatch of settlementMismatches) expect((await settled(mismatch)).sha256).toHaveLength(64);
  });

  it('pays out once for each nonce, and not to a closed account', async () => {
    const payout = { nonce: 'p1', account: 'DE89370400440532013000', amount_minor: '500', currency: 'EUR' };
    expect(await https.call('POST', '/v1/payouts', payout)).toMatchObject({
      status: 201,
      body: { status: 'paid' },
    });
    expect(await https.call('POST', '/v1/payouts', payout)).toMatchObject({
      status: 200,
      body: { already_processed: true },
    });
    expect(
      await https.call('POST', '/v1/payouts', { ...payout, nonce: 'p2', account: 'CLOSED' }),
    ).toMatchObject({
      body: { status: 'refused', code: 'account_closed' },
    });
  });
});
