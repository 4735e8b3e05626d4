import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { paymentMigrations } from '#payment/migrations.js';
import type { RecordLine } from '#payment-simulator/record.js';
import { type SpawnedPsp, spawnPsp } from '#payment-simulator/spawn-psp.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { topics } from '#schemas/topics.js';
import { eventually } from '../eventually.js';
import { freePort } from '../main-job/running-platform.js';
import type { ArmedFault, ChildConfig } from './executor-crash-child.js';

const child = fileURLToPath(new URL('../../dist/tests/payment/executor-crash-child.js', import.meta.url));

/** The payment program as a process that ends at named points, and what outlives it. */
export class CrashingPayment {
  readonly sql: Sql;
  readonly psp: SpawnedPsp;
  readonly url: string;
  readonly #log: LmdbEventLog;
  readonly #config: ChildConfig;
  /** Who pays from now on: a buyer with many payments in an hour is reviewed. */
  buyer = 'ada';
  #running: ChildProcess | undefined;
  #lines: string[] = [];

  private constructor(sql: Sql, psp: SpawnedPsp, log: LmdbEventLog, config: ChildConfig) {
    this.sql = sql;
    this.psp = psp;
    this.url = `http://127.0.0.1:${config.port}`;
    this.#log = log;
    this.#config = config;
  }

  static async open(): Promise<CrashingPayment> {
    const folder = await mkdtemp(join(tmpdir(), 'meridian-crash-'));
    const apiKey = 'sk';
    const webhookSecret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
    const port = await freePort();
    const [psp, sql, log] = await Promise.all([
      spawnPsp({
        folder: join(folder, 'psp'),
        seed: 5,
        apiKey,
        webhookSecrets: [webhookSecret],
        webhookUrl: `http://127.0.0.1:${port}/v1/psp/webhooks`,
      }),
      openSql(`embedded:${join(folder, 'sql')}`),
      LmdbEventLog.open({ folder: join(folder, 'log') }),
    ]);
    await sql.migrate('payment', paymentMigrations);
    await log.createTopics(topics);
    const { url: pspUrl, pin: pspPin, certificate: pspCertificate } = psp.addresses;
    const config = { folder, port, pspUrl, pspPin, pspCertificate, apiKey, webhookSecret };
    return new CrashingPayment(sql, psp, log, config);
  }

  async close(): Promise<void> {
    if (this.isAlive) {
      const closed = once(this.#running!, 'close');
      this.#running!.stdin!.end();
      await closed;
    }
    await this.psp.close();
    await this.#log.close();
    await this.sql.close();
    await rm(this.#config.folder, { recursive: true, force: true });
  }

  get isAlive(): boolean {
    return (
      this.#running !== undefined && this.#running.exitCode === null && this.#running.signalCode === null
    );
  }

  get wasKilled(): boolean {
    return this.#running?.signalCode === 'SIGKILL';
  }

  /** How often the fault struck since it was armed, or since the start. */
  get fired(): number {
    return this.#lines.filter((line) => line.startsWith('fired')).length;
  }

  /** Starts the program unless it runs; with a fault, it may be killed before it is ready. */
  async revive(fault?: ArmedFault): Promise<void> {
    if (this.isAlive) return;
    this.#lines = [];
    const started = spawn(process.execPath, [child], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], CRASH_CHILD: JSON.stringify({ ...this.#config, fault }) },
    });
    createInterface({ input: started.stdout }).on('line', (line) => this.#lines.push(line));
    this.#running = started;
    const ended = once(started, 'close').then(([code]: unknown[]) => {
      throw new Error(`The program ended with ${String(code)} before it was ready.`);
    });
    ended.catch(() => {});
    const ready = eventually(() => expect(this.#lines).toContain('ready'));
    await Promise.race([ended, ready]).catch((error: unknown) => {
      if (fault === undefined || !this.wasKilled) throw error;
      ready.catch(() => {});
    });
  }

  /** A program that must be started has the fault from its begin: its work may not wait. */
  async arm(fault: ArmedFault): Promise<void> {
    if (!this.isAlive) return this.revive(fault);
    this.#lines = ['ready'];
    this.#running!.stdin!.write(`${JSON.stringify(fault)}\n`);
    await eventually(() => expect(this.#lines).toContain('armed'));
  }

  /** Like a client: repeats the same key until it gets an answer. */
  submit(body: unknown, key: string, revive: () => Promise<void>): Promise<Response> {
    return eventually(
      async () => {
        await revive();
        const response = await fetch(`${this.url}/v1/payments`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${this.buyer}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(30_000),
        });
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
        return response;
      },
      { everyMs: 50 },
    );
  }

  async get<Answer>(id: string): Promise<Answer> {
    const response = await fetch(`${this.url}/v1/payments/${id}`, {
      headers: { authorization: `Bearer ${this.buyer}` },
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  async record(): Promise<RecordLine[]> {
    return (await (await fetch(`${this.psp.addresses.controlUrl}/record`)).json()) as RecordLine[];
  }

  async count(query: string, values: readonly string[] = []): Promise<number> {
    const { rows } = await this.sql.query<{ n: bigint | string | null }>(query, values);
    return Number(rows[0]!.n);
  }
}
