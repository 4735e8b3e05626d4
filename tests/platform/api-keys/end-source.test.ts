import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adoptOrphans, endSource } from '#platform/api-keys/end-source.js';
import { startMetering } from '#platform/api-keys/start-metering.js';
import { customerMigrations } from '#platform/api-keys/tables.js';
import { readJournal, UsageJournal } from '#platform/api-keys/usage-journal.js';
import { addUsage, dayOf, forgetOldSources } from '#platform/api-keys/usage-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { compiledTree } from '../../compiled-tree.js';
import { eventually } from '../../eventually.js';
import { openDatabase, type TestDatabase } from '../../shared-postgres.js';

/**
 * Five requests in a journal, three of which the database knows. Then the process ends it itself, or is
 * killed and another one does (`adopt`), which is killed at the given step.
 */
const program = `
  const { openSql } = await import('#platform/sql/open-sql.js');
  const { adoptOrphans, endSource } = await import('#platform/api-keys/end-source.js');
  const { UsageJournal } = await import('#platform/api-keys/usage-journal.js');
  const { addUsage, dayOf } = await import('#platform/api-keys/usage-store.js');
  const { silentLogger } = await import('#platform/telemetry/logger.js');
  const [address, folder, mode, killAt] = process.argv.slice(1);
  const sql = await openSql(address);
  const die = async () => {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  };
  let steps = 0;
  const step = async () => {
    if (steps++ === Number(killAt)) await die();
  };
  const watched = (session) => async (...query) => {
    const result = await session.query(...query);
    await step();
    return result;
  };
  const stepping = {
    query: async (...query) => {
      await step();
      return watched(sql)(...query);
    },
    transaction: async (work) => {
      await step();
      const result = await sql.transaction((tx) => work({ query: watched(tx) }));
      await step();
      return result;
    },
  };
  if (mode === 'adopt') await adoptOrphans(stepping, folder, silentLogger, Date.now);
  else {
    const journal = new UsageJournal(folder);
    const slot = journal.slot('acme', dayOf(Date.now()), 'map');
    for (let i = 0; i < 3; i++) journal.add(slot);
    await addUsage(sql, { sourceId: journal.sourceId, exists: () => true }, journal.counts, false);
    for (let i = 0; i < 2; i++) journal.add(slot);
    if (mode === 'abandon') await die();
    await endSource(stepping, journal, journal.counts);
  }
  console.log(steps);
  await sql.close();
`;

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await openDatabase('customers', customerMigrations);
  folder = await mkdtemp(join(tmpdir(), 'meridian-sources-'));
});
afterEach(async () => {
  await database.dispose();
  await rm(folder, { recursive: true });
});

const rowsOf = async (sql: string) => Number((await database.sql.query(sql)).rows[0]!['n']);
const total = () => rowsOf('SELECT coalesce(sum(requests), 0)::bigint AS n FROM usage_day');
const sources = () => rowsOf('SELECT count(*) AS n FROM usage_source');
const rests = () => rowsOf('SELECT count(*) AS n FROM usage_source_count');
const adopt = (log = silentLogger) => adoptOrphans(database.sql, folder, log, Date.now);

/** The number of steps, or nothing if the process was killed. */
async function run(mode: 'own' | 'abandon' | 'adopt', killAt = -1): Promise<number | undefined> {
  const args = ['--input-type=module', '-e', program, database.address, folder, mode, String(killAt)];
  const child = spawn(process.execPath, args, {
    cwd: compiledTree,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect([code, signal]).toEqual(output === '' ? [null, 'SIGKILL'] : [0, null]);
  return output === '' ? undefined : Number(output);
}

describe('a journal that ends', () => {
  test.each(['own', 'adopt'] as const)(
    'counts each request once and leaves nothing, wherever its end is killed: %s',
    async (mode) => {
      let counted = 0;
      for (let killAt = 0; ; killAt++) {
        if (mode === 'adopt') await run('abandon');
        const steps = await run(mode, killAt);
        counted += 5;
        if (steps !== undefined) {
          // Nothing was killed any more: before and inside the transaction, after it, around the last query.
          expect(steps).toBe(killAt);
          expect(killAt).toBeGreaterThanOrEqual(9);
          expect([await readdir(folder), await sources()]).toEqual([[], 0]);
          break;
        }
        await adopt();
        expect([await total(), await readdir(folder), await rests()], `step ${killAt}`).toEqual([
          counted,
          [],
          0,
        ]);
        // Between file and row, only the row is left, which is forgotten later.
        expect(await sources(), `step ${killAt}`).toBeLessThanOrEqual(1);
        await database.sql.query(`UPDATE usage_source SET touched_at = now() - interval '91 days'`);
        await forgetOldSources(database.sql);
        expect(await sources(), `step ${killAt}`).toBe(0);
      }
      expect(await total()).toBe(counted);
    },
    120_000,
  );

  test('who read the file before it went adds nothing later, and neither does its process', async () => {
    const journal = startJournal(4);
    const late = readJournal(journal.path);
    const source = { sourceId: late.sourceId, exists: () => existsSync(journal.path) };
    expect(await addUsage(database.sql, source, journal.counts, false)).toBe('added');
    expect(await endSource(database.sql, journal, journal.counts)).toBe('added');
    expect([await total(), await sources(), existsSync(journal.path)]).toEqual([4, 0, false]);
    for (const isLast of [true, false])
      expect(await addUsage(database.sql, source, late.counts, isLast)).toBe('gone');
    expect(await endSource(database.sql, journal, journal.counts)).toBe('gone');
    expect([await total(), await sources()]).toEqual([4, 0]);
    journal.close();
  });
});

describe('journals that the database has not heard of for long', () => {
  test('are forgotten after 90 days, with the counts known of them; usage stays', async () => {
    for (const [days, journal] of [
      [89, startJournal(1)],
      [91, startJournal(2)],
    ] as const) {
      await addUsage(database.sql, { sourceId: journal.sourceId, exists: () => true }, journal.counts, false);
      await database.sql.query(
        'UPDATE usage_source SET touched_at = now() - make_interval(days => $2) WHERE source_id = $1',
        [journal.sourceId, days],
      );
      journal.close();
    }
    expect(await forgetOldSources(database.sql)).toBe(1);
    expect([await sources(), await rests(), await total()]).toEqual([1, 1, 3]);
  });

  test('a server forgets them by itself', async () => {
    await database.sql.query(`INSERT INTO usage_source VALUES ('lost', NULL, now() - interval '91 days')`);
    const parts = { logger: silentLogger, metrics: createMetrics() };
    const metering = startMetering({ sql: database.sql, folder, isRequired: false, ...parts });
    try {
      await eventually(async () => expect(await sources()).toBe(0), { deadlineMs: 30_000 });
    } finally {
      await metering.close();
    }
    expect([await sources(), await readdir(folder)]).toEqual([0, []]);
  });

  test('a process in use is heard of, even if its counts do not rise', async () => {
    const journal = startJournal(1);
    const source = { sourceId: journal.sourceId, exists: () => true };
    await addUsage(database.sql, source, journal.counts, false);
    await database.sql.query(`UPDATE usage_source SET touched_at = now() - interval '91 days'`);
    await addUsage(database.sql, source, journal.counts, false);
    expect(await forgetOldSources(database.sql)).toBe(0);
    journal.close();
  });

  test('a file that comes back after that is not counted again, but kept and logged', async () => {
    const today = dayOf(Date.now());
    const errors: unknown[] = [];
    const log = { ...silentLogger, error: (_: string, fields: unknown) => void errors.push(fields) };
    const [old, young] = [orphanOf(startJournal(6, today - 61)), orphanOf(startJournal(7, today - 60))];
    await adopt(log);
    expect(await total()).toBe(7);
    expect(errors).toEqual([{ path: `${old}.not-counted`, requests: 6 }]);
    expect(await readdir(folder)).toEqual([`${basename(old)}.not-counted`]);
    expect([existsSync(young), await sources()]).toEqual([false, 0]);
    await adopt(log);
    expect([await total(), errors.length]).toEqual([7, 1]);
  });

  test('an old file that the database still knows is counted', async () => {
    const journal = startJournal(3, dayOf(Date.now()) - 61);
    await addUsage(database.sql, { sourceId: journal.sourceId, exists: () => true }, journal.counts, false);
    orphanOf(journal);
    await adopt();
    expect([await total(), await sources(), await readdir(folder)]).toEqual([3, 0, []]);
  });
});

function startJournal(requests: number, day = dayOf(Date.now())): UsageJournal {
  const journal = new UsageJournal(folder);
  const slot = journal.slot('acme', day, 'map');
  for (let i = 0; i < requests; i++) journal.add(slot);
  return journal;
}

/** The same file of a process that has ended. */
function orphanOf(journal: UsageJournal): string {
  journal.close();
  const [source, host, , stamp] = basename(journal.path).split('~');
  const path = join(folder, [source, host, 2 ** 22 + 1, stamp].join('~'));
  renameSync(journal.path, path);
  return path;
}
