import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventLog } from '#platform/event-log/event-log.js';
import { saslMechanisms } from '#platform/event-log/kafka-servers.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { waitFor } from '#platform/lifecycle/wait-for.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { openSql } from '#platform/sql/open-sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { contract } from '../contracts/event-log.contract.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';

/** How the servers of `infra/up` are reached with TLS, and Kafka with a user. */
const addresses = {
  kafka: () => `${required('KAFKA_OVER_TLS', 'kafka')}&sasl=scram-sha-512`,
  cassandra: () => required('CASSANDRA_OVER_TLS', 'cassandra'),
  redis: () => required('REDIS_OVER_TLS', 'redis'),
  postgres: () => required('POSTGRES_OVER_TLS', 'postgres'),
};

let folder: string;
/** An authority that signed none of their certificates. */
let stranger: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-tls-'));
  stranger = join(folder, 'stranger.pem');
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = ['-keyout', join(folder, 'stranger.key'), '-out', stranger];
  execFileSync('openssl', [...request, '-subj', '/CN=stranger', ...files], { stdio: 'ignore' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const withCa = (address: string, file: string): string => address.replace(/ca=[^&]*/, `ca=${file}`);

/** As a program waits for it at its start: the sentence with which it gives up, and after how long. */
async function refusal(open: () => Promise<unknown>): Promise<string> {
  const began = performance.now();
  const options = { logger: silentLogger, signal: AbortSignal.timeout(20_000) };
  const error = (await waitFor('server', open, options).catch((each: unknown) => each)) as Error;
  expect(error).toBeInstanceOf(Error);
  expect(performance.now() - began).toBeLessThan(5_000);
  return error.message;
}

async function asked<Store extends { close(): Promise<void> }>(
  opening: Promise<Store>,
  ask: (store: Store) => Promise<unknown>,
): Promise<void> {
  const store = await opening;
  try {
    await ask(store);
  } finally {
    await store.close();
  }
}

const check = (log: EventLog) => log.check();
const use = {
  kafka: (address: string) => asked(openEventLog(address), check),
  cassandra: (address: string) => asked(openLocationStore(address), (store) => store.prepare()),
  redis: (address: string) => asked(openLiveCache(address), (cache) => cache.set('tls', 'x', 1_000)),
  postgres: (address: string) => asked(openSql(address), (sql) => sql.query('SELECT 1')),
};
const names = Object.keys(use) as (keyof typeof use)[];

describe('servers with TLS', () => {
  test.each(names)('%s answers over TLS to clients that trust its authority', async (name) => {
    await use[name](addresses[name]());
  });

  test.each(names)('%s is refused at once where another authority signed its certificate', async (name) => {
    const address = withCa(addresses[name](), stranger);
    expect(await refusal(() => use[name](address))).toMatch(/certificate|signed/);
  });

  test.each(['kafka', 'postgres'] as const)('%s: a wrong password ends the wait at once', async (name) => {
    const address = addresses[name]().replace(/:[0-9a-f]{40}@/, ':wrong@');
    expect(address).toContain(':wrong@');
    expect(await refusal(() => use[name](address))).toMatch(/[Aa]uthentication/);
  });

  test('PostgreSQL says that the connection is encrypted', async () => {
    const sql = await openSql(addresses.postgres());
    const { rows } = await sql.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    expect(rows).toEqual([{ ssl: true }]);
    await sql.close();
  });

  test('a password comes from a file', async () => {
    const [, user, password, rest] = /^(.*:\/\/\w+):(\w+)(@.*)$/.exec(addresses.postgres())!;
    const file = join(folder, 'password');
    writeFileSync(file, `${password}\n`);
    await use.postgres(`${user}${rest}&passwordFile=${file}`);
  });
});

describe('Kafka with SASL', () => {
  test.each(saslMechanisms)('%s: appends, reads, and a group reads too', async (mechanism) => {
    const log = await openEventLog(`${required('KAFKA_OVER_TLS', 'kafka')}&sasl=${mechanism}`);
    const topic = `tls.${mechanism}.${randomUUID()}.v1`;
    await log.createTopics([contract(topic, 1)]);
    // A broker that has just started is still reading what it keeps of producers.
    await eventually(() => log.append(topic, [{ key: 'a', value: Buffer.from(mechanism) }]));
    const read: string[] = [];
    for await (const { value } of log.read(topic, 0, 0)) read.push(String(value));
    expect(new Set(read)).toEqual(new Set([mechanism]));
    const seen: string[] = [];
    await log.consume({
      ...{ group: randomUUID(), topics: [topic], startAt: 'earliest' },
      onBatch: async ({ records }) => void seen.push(...records.map(({ value }) => String(value))),
    });
    await eventually(() => expect(seen[0]).toBe(mechanism));
    await log.close();
  });
});
