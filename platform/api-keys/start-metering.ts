import { existsSync } from 'node:fs';
import { makeFolder } from '../config/folders.js';
import type { Metering } from '../http/metering.js';
import type { Sql } from '../sql/sql.js';
import type { Logger } from '../telemetry/logger.js';
import type { Metrics } from '../telemetry/metrics.js';
import { type FoundKey, findKey, noteUse } from './customer-store.js';
import { adoptOrphans, endSource } from './end-source.js';
import { KeyRing, type MeteredCustomer } from './key-ring.js';
import { apiKeyLimits } from './limits.js';
import type { UsageJournal } from './usage-journal.js';
import { UsageMeter } from './usage-meter.js';
import { addUsage, forgetOldSources, monthUsage, noUsage } from './usage-store.js';

export interface MeteringOptions {
  /** With the tables of `customerMigrations`. */
  readonly sql: Sql;
  /** For the journals of this machine's processes. */
  readonly folder: string;
  readonly isRequired: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly nowMs?: () => number;
}

export interface RunningMetering extends Metering {
  /** Brings all counts so far into the database; rejects if it does not answer. */
  flush(): Promise<void>;
  /** Brings the last counts into the database if it answers; else the next start does. Never rejects. */
  close(): Promise<void>;
}

/** Customers without a request for this long are forgotten; much longer than a key is remembered. */
const customerIdleMs = 2 * apiKeyLimits.keyAgeWithoutDatabaseMs;

/** API keys from the database, and counts that reach it about once a second. */
export function startMetering(options: MeteringOptions): RunningMetering {
  const { sql, folder, isRequired, logger, metrics, nowMs = Date.now } = options;
  makeFolder(folder, 0o700);
  const meter = new UsageMeter(folder, nowMs);
  const ring = new KeyRing({
    find: (keyId) => findKey(sql, keyId),
    customerOf: async (found) => customerOf(meter, found, await monthUsage(sql, [found.customerId], nowMs())),
    nowMs,
  });
  const failures = metrics.counter(
    'usage_flush_failures_total',
    'Failed attempts to bring the counts of requests with API keys into the database.',
  );

  async function flushOnce(): Promise<void> {
    const moment = meter.moment();
    for (const journal of [...meter.full]) {
      await end(journal);
      meter.full.splice(meter.full.indexOf(journal), 1);
    }
    const { journal } = meter;
    const { sourceId, path, counts } = journal;
    if (counts.length > 0) await addUsage(sql, { sourceId, exists: () => existsSync(path) }, counts, false);
    const customers = [...moment.own.keys()].map(({ customerId }) => customerId);
    if (customers.length > 0) meter.learn(moment, await monthUsage(sql, customers, nowMs()));
    meter.forget(nowMs() - customerIdleMs);
    const used = ring.takeUsed();
    if (used.size > 0) await noteUse(sql, used);
  }

  async function end(journal: UsageJournal): Promise<void> {
    await endSource(sql, journal, journal.counts);
    journal.close();
  }

  let running: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    // The one that runs may have begun before the last counts.
    await running?.catch(() => {});
    running = flushOnce().finally(() => {
      running = undefined;
    });
    await running;
  };

  const noteFailure = (error: unknown) => {
    failures.add();
    logger.warn('counts of requests with API keys wait for the database', {
      cause: (error as Error).message,
    });
  };
  let orphansAt = 0;
  let forgetAt = 0;
  const tick = async () => {
    if (running !== undefined) return;
    try {
      await flush();
      if (performance.now() < orphansAt) return;
      orphansAt = performance.now() + apiKeyLimits.orphansMs;
      await adoptOrphans(sql, folder, logger, nowMs);
      if (performance.now() < forgetAt) return;
      forgetAt = performance.now() + apiKeyLimits.forgetMs;
      await forgetOldSources(sql);
    } catch (error) {
      noteFailure(error);
    }
  };
  const timer = setInterval(() => void tick(), apiKeyLimits.flushMs);

  return {
    isRequired,
    recall: (key) => ring.recall(key),
    verify: (key) => ring.verify(key),
    begin: (customer, family) => meter.begin((customer as MeteredCustomer).usage, family),
    end: (customer, family, isCounted) => meter.end((customer as MeteredCustomer).usage, family, isCounted),
    flush,
    async close() {
      clearInterval(timer);
      try {
        await flush();
        await end(meter.journal);
      } catch (error) {
        noteFailure(error);
      }
    },
  };
}

function customerOf(
  meter: UsageMeter,
  found: FoundKey,
  known: Awaited<ReturnType<typeof monthUsage>>,
): MeteredCustomer {
  const { customerId, families, perSecond, burst } = found;
  return {
    customerId,
    usage: meter.customer(customerId, found, known.get(customerId) ?? noUsage()),
    families: new Set(families),
    // A token bucket: full after `windowS`.
    rate: { name: 'customer', limit: burst, windowS: burst / perSecond },
    rateKey: `customer:${customerId}`,
    identity: {
      // No issuer gives this name to a user unless it means the customer.
      userId: `customer:${customerId}`,
      scopes: ['driver'],
      expiresAt: Number.POSITIVE_INFINITY,
    },
  };
}
