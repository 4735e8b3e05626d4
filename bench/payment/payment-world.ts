import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { paymentMigrations } from '#payment/migrations.js';
import { post } from '#payment-simulator/post.js';
import { type SpawnedPsp, spawnPsp } from '#payment-simulator/spawn-psp.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { topics } from '#schemas/topics.js';
import type { PaymentChildConfig } from './payment-child.js';

export interface PaymentProgram {
  readonly url: string;
  readonly process: ChildProcess;
  /** SIGKILL, and gone. */
  kill(): Promise<void>;
}

/** Database, log and provider, and any number of payment programs. */
export interface PaymentWorld {
  readonly folder: string;
  readonly sql: Sql;
  readonly log: EventLog;
  readonly psp: SpawnedPsp;
  readonly webhookSecret: string;
  start(): Promise<PaymentProgram>;
  control<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>;
  close(): Promise<void>;
}

const child = fileURLToPath(new URL('./payment-child.js', import.meta.url));

/**
 * `LOG` in the environment names a log of the network instead of the embedded one. With `standby` one more
 * program than are started lies in memory and takes the place of one that was killed.
 */
export async function openPaymentWorld({
  standby = false,
  ...options
}: Pick<PaymentChildConfig, 'settings' | 'roundEveryMs' | 'pspTimeoutMs'> & {
  readonly standby?: boolean;
}): Promise<PaymentWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-payment-'));
  const apiKey = randomUUID();
  const webhookSecret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  const logAddress = process.env['LOG'] ?? `embedded:${join(folder, 'log')}`;
  const psp = await spawnPsp({
    folder: join(folder, 'psp'),
    seed: 1,
    apiKey,
    webhookSecrets: [webhookSecret],
  });
  const sql = await openSql(`embedded:${join(folder, 'sql')}`);
  await sql.migrate('payment', paymentMigrations);
  const log = await openEventLog(logAddress);
  await log.createTopics(topics);
  const { url: pspUrl, pin: pspPin, certificate: pspCertificate, controlUrl } = psp.addresses;
  const config: PaymentChildConfig = {
    ...options,
    sql: `embedded:${join(folder, 'sql')}`,
    log: logAddress,
    schemas: `embedded:${join(folder, 'schemas')}`,
    pspUrl,
    pspPin,
    pspCertificate,
    apiKey,
    webhookSecret,
  };
  let spare = standby ? loadProgram(config) : undefined;
  return {
    folder,
    sql,
    log,
    psp,
    webhookSecret,
    start() {
      const loaded = spare ?? loadProgram(config);
      spare = standby ? loadProgram(config) : undefined;
      return startProgram(loaded);
    },
    async control<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
      const response = await fetch(controlUrl + path, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await response.text();
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    async close() {
      spare?.kill('SIGKILL');
      await psp.close();
      await log.close();
      await sql.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const loadProgram = (config: PaymentChildConfig) =>
  spawn(process.execPath, [child], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], PAYMENT_CHILD: JSON.stringify(config) },
  });

async function startProgram(started: ReturnType<typeof loadProgram>): Promise<PaymentProgram> {
  started.stdin.write('begin\n');
  const closed = once(started, 'close');
  const kill = async () => {
    started.kill('SIGKILL');
    await closed;
  };
  for await (const port of createInterface({ input: started.stdout }))
    return { url: `http://127.0.0.1:${port}`, process: started, kill };
  throw new Error('A payment program ended before it was ready.');
}

/** A payment of one order by a buyer of its own, to a seller of a hundred. */
export function paymentBody(number: number): {
  readonly id: string;
  readonly text: string;
  readonly key: string;
  readonly buyer: string;
} {
  const id = randomUUID();
  const text = JSON.stringify({
    checkout_id: randomUUID(),
    buyer_info: { name: 'Ada' },
    credit_card_info: { token: 'tok_captured' },
    payment_orders: [
      {
        seller_account: `DE${String(89370400440532000000n + BigInt(number % 100))}`,
        amount: `${1 + (number % 500)}.50`,
        currency: 'EUR',
        payment_order_id: id,
      },
    ],
  });
  return { id, text, key: randomUUID(), buyer: `buyer-${id}` };
}

export function postPayment(
  url: string,
  { text, key, buyer }: ReturnType<typeof paymentBody>,
  timeoutMs = 20_000,
) {
  const headers = {
    authorization: `Bearer ${buyer}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  return post(`${url}/v1/payments`, headers, text, timeoutMs);
}
