import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch, type RequestInit } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCertificate } from '#payment-simulator/certificate.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { freePort, meridian, type RunningProgram, spawnProgram } from '../main-job/running-platform.js';

const { certificate, key } = makeCertificate('listener', Date.now());
const trusting = new Agent({ connect: { ca: certificate } });

let data: string;
let program: RunningProgram;
let ports: [number, number];
let files: Readonly<Record<string, string>>;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-payment-tls-'));
  ports = [await freePort(), await freePort()];
  files = { TLS_CERTIFICATE_FILE: join(data, 'certificate.pem'), TLS_KEY_FILE: join(data, 'key.pem') };
  await writeFile(files['TLS_CERTIFICATE_FILE']!, certificate);
  await writeFile(files['TLS_KEY_FILE']!, key);
  program = await spawnProgram('payment', { data, ports, env: files });
});
afterAll(async () => {
  await program?.stop();
  await trusting.close();
  await rm(data, { recursive: true, force: true });
});

const ask = async (path: string, init: RequestInit = {}) =>
  fetch(`https://localhost:${ports[0]}${path}`, { ...init, dispatcher: trusting });
const ready = async () => (await ask('/readyz').catch(() => undefined))?.status;

proves('P-111', {
  asked: 'all calls over TLS; plain HTTP to the provider cannot be configured; TLS 1.2 or newer',
  shown: 'meridian payment: a payment and its webhooks over TLS; plain HTTP gets nothing on either listener',
  settings: ['TLS_CERTIFICATE_FILE and TLS_KEY_FILE of a certificate of the test'],
  control: {
    in: 'cli/start/serve.ts',
    change: 'ownAddress(shown, bound.port, tls?.certificate)',
    to: 'ownAddress(shown, bound.port, undefined)',
  },
});
it('P-111: with a certificate, buyers, staff and the provider reach payments over TLS only', async () => {
  await expect.poll(ready, { timeout: 120_000, interval: 200 }).toBe(200);
  const token = await program.token('ada', 'customer');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const id = randomUUID();
  const asked = {
    checkout_id: randomUUID(),
    buyer_info: {},
    credit_card_info: {},
    payment_orders: [
      { seller_account: 'DE89370400440532013000', amount: '12.00', currency: 'EUR', payment_order_id: id },
    ],
  };
  const answer = await ask('/v1/payments', {
    ...{ method: 'POST', body: JSON.stringify(asked) },
    headers: { ...headers, 'idempotency-key': randomUUID() },
  });
  expect(answer.status).toBe(201);
  const [order] = ((await answer.json()) as PaymentEvent).payment_orders;
  const page = await browsePage(order!.payment_page_url!, await certificateIn(data), {
    number: '4242424242424242',
  });
  expect(page.location).toMatch(new RegExp(`^https://localhost:${ports[0]}/v1/payment-return`));
  const settled = async () =>
    ((await (await ask(`/v1/payments/${id}`, { headers })).json()) as PaymentOrder).payment_order_status;
  await expect.poll(settled, { interval: 100, timeout: 10_000 }).toBe('SUCCESS');

  // Nothing but a trusted certificate lets them through: the simulator sends again until it is answered.
  const [, controlUrl] = /"controlUrl":"([^"]+)"/.exec(program.output())!;
  const webhooks = async () =>
    ((await (await fetch(`${controlUrl}/webhooks`)).json()) as { status: number }[]).map(
      ({ status }) => status,
    );
  await expect.poll(webhooks, { timeout: 20_000 }).toContain(204);

  for (const port of ports)
    await expect(globalThis.fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  const doctor = async (env: Readonly<Record<string, string>>) => {
    const own = { MERIDIAN_DATA: data, PORT: String(ports[0]), INTERNAL_PORT: String(ports[1]) };
    const { stdout } = await meridian(['doctor', '--json'], { ...own, ...env });
    const found = JSON.parse(stdout) as { check: string; state: string; detail: string }[];
    return (check: string) => found.find((each) => each.check === check);
  };
  const of = await doctor(files);
  const staffUrl = `https://127.0.0.1:${ports[1]}/readyz`;
  expect(of('platform')).toMatchObject({ state: 'ok', detail: `${staffUrl} says that it is ready` });
  expect(of('certificates of TLS_CERTIFICATE_FILE')).toMatchObject({ state: 'ok' });
  const renewed = makeCertificate('listener', Date.now());
  await writeFile(files['TLS_CERTIFICATE_FILE']!, renewed.certificate);
  await writeFile(files['TLS_KEY_FILE']!, renewed.key);
  expect((await doctor(files))('platform')).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('shows another certificate than'),
  });
  expect(await program.stop()).toBe(0);
}, 180_000);
