import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkCoreFiles } from '#cli/doctor/machine.js';
import { proves } from '#tools/acceptance/proves.js';
import { writtenNumber } from '../card-data-left.js';
import { eventually } from '../eventually.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { type Collector, openCollector } from '../tracing/otlp-collector.js';

const canary = '4242424242424242';
const forms = [canary, '4242 4242 4242 4242', '4242-4242-4242-4242'];
const code = '8417';
/** The number, or the code after a name of it. */
const trace = new RegExp(`${writtenNumber(canary).source}|(?:cvv|cvc)[^0-9a-zA-Z]{0,8}${code}`);

let data: string;
let collector: Collector;
let program: RunningProgram;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-card-traces-'));
  collector = await openCollector();
  program = await startProgram('payment', {
    data,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      TRACES_PER_SECOND: '100000',
    },
  });
});
afterAll(async () => {
  await program?.stop();
  await collector?.close();
  await rm(data, { recursive: true, force: true });
});

const received = (): string =>
  collector.bodies
    .map((body) => (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body).toString('latin1'))
    .join('\n');

proves('P-023', {
  asked: 'a canary sent through every route is in no table, WAL, log, metric, trace, core dump',
  shown: 'number and code in fields, path, query, headers: in no span; unit, compose, image: no core files',
  missing: 'traces of other routes than these five; a core dump of a program that is started by hand',
  control: {
    in: 'platform/http/server/request-span.ts',
    change: "'http.route': endpoint.label,",
    to: "'http.route': endpoint.label,\n    key: headers.get('idempotency-key') ?? '',",
  },
});
it('P-023: a card number or a code in a body, a path, a query or a header is in no trace', async () => {
  const token = await program.token('ada', 'customer');
  const call = (method: string, path: string, body?: object, headers = {}) =>
    fetch(program.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const good = () => ({
    checkout_id: randomUUID(),
    buyer_info: {},
    credit_card_info: {},
    payment_orders: [
      {
        seller_account: 'DE89370400440532013000',
        amount: '12.00',
        currency: 'EUR',
        payment_order_id: randomUUID(),
      },
    ],
  });
  const paid = good();
  expect((await call('POST', '/v1/payments', paid)).status).toBe(201);
  for (const number of forms) {
    for (const wrong of [
      { ...good(), buyer_info: { note: `my card is ${number}` } },
      { ...good(), credit_card_info: { token: number } },
      { ...good(), checkout_id: number },
      { ...good(), [number]: 1 },
    ])
      expect((await call('POST', '/v1/payments', wrong)).status).toBe(400);
    await call('POST', '/v1/payments', good(), { 'idempotency-key': number });
    await call('GET', `/v1/payments/${encodeURIComponent(number)}`);
    await call('GET', `/v1/payment-return?tokenID=${encodeURIComponent(number)}`);
    await call('GET', `/${encodeURIComponent(number)}`);
    await call('POST', '/v1/psp/webhooks', { card: number }, { 'webhook-id': number });
  }
  for (const wrong of [
    { ...good(), buyer_info: { note: `cvv ${code}` } },
    { ...good(), credit_card_info: { cvc: code } },
    { ...good(), [`cvv ${code}`]: 1 },
  ])
    expect((await call('POST', '/v1/payments', wrong)).status).toBe(400);
  const written = `cvv.${code}`;
  await call('POST', '/v1/payments', good(), { 'idempotency-key': written });
  await call('GET', `/v1/payments/${written}`);
  await call('GET', `/v1/payment-return?tokenID=${written}&payResult=${written}`);
  await call('GET', `/${written}`);
  await call('POST', '/v1/psp/webhooks', { card: { cvv: code } }, { 'webhook-id': written });
  // Control: the collector has the spans of these requests, so the search reads them.
  await eventually(() => {
    const names = collector.spans.map(({ name }) => name);
    expect(names).toContain('POST /v1/payments');
    expect(names).toContain('GET /v1/payment-return');
    expect(names).toContain('POST /v1/psp/webhooks');
  });
  await eventually(() => expect(received()).toContain(paid.payment_orders[0]!.payment_order_id));
  expect(trace.exec(received())?.[0]).toBeUndefined();
  expect(trace.exec(received().replaceAll('%20', ' ').replaceAll('%2D', '-'))?.[0]).toBeUndefined();
});

it('P-023: programs that are started as documented write no core file', async () => {
  const text = async (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(await text('deploy/systemd/meridian.service')).toMatch(/^LimitCORE=0$/m);
  expect(await text('compose.yaml')).toMatch(/^ {4}ulimits: \{ core: 0 \}$/m);
  // No field of a pod limits core files: the image does. One in the folder of the program cannot be written.
  const { pathname: limits } = new URL('print-limits.mjs', import.meta.url);
  const [, entry] = /^ENTRYPOINT (.+)$/m.exec(await text('Containerfile'))!;
  const [shell, ...words] = (JSON.parse(entry!) as string[]).map((word) =>
    word.replace('/app/node_modules/meridian/bin/meridian.js', limits),
  );
  const { stdout } = await promisify(execFile)(shell!, [...words, 'up', '--drivers', '0']);
  expect(stdout).toMatch(/^Max core file size +0 +0 /m);
  expect(stdout).toContain('arguments: up --drivers 0');
  for (const name of ['api', 'bookings', 'ingest', 'processors'])
    expect(await text(`deploy/kubernetes/${name}.yaml`)).toMatch(/^ +readOnlyRootFilesystem: true$/m);
  const found = await checkCoreFiles(async () => 'Max core file size  unlimited  unlimited  bytes');
  expect(found).toMatchObject({ state: 'warning', advice: expect.stringContaining('ulimit -c 0') });
});
