import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';
import { freePort, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { infra } from '../programs/infra.js';
import { allStored } from '../programs/read-back.js';
import { startSenders } from '../programs/recorded-senders.js';
import { CuttableDisk, mayMount } from './cuttable-disk.js';
import { pidOf } from './infra-server.js';

const cuts = 2;

/** `meridian up` with its location store on a Cassandra whose disk can be cut. */
describe.skipIf(!mayMount())('the power of Cassandra is cut under the location writer', () => {
  let data: string;
  let disk: CuttableDisk;
  let server: Readonly<Record<string, string>>;
  let up: RunningProgram;
  beforeAll(async () => {
    required('LOCATIONS', 'cassandra://');
    data = await mkdtemp(join(tmpdir(), 'meridian-cassandra-cut-'));
    disk = CuttableDisk.open(1_024);
    const port = String(await freePort());
    server = {
      LOCATIONS: '',
      MERIDIAN_INFRA_DATA: join(disk.folder, 'infra'),
      MERIDIAN_INFRA_CASSANDRA_PORT: port,
    };
    await infra('up', 'cassandra', server);
    disk.flush();
    const own = {
      LOCATIONS: `cassandra://127.0.0.1:${port}/meridian?dc=datacenter1`,
      EVENT_LOG: `embedded:${join(data, 'log')}`,
      SQL: `embedded:${join(data, 'sql')}`,
      CACHE: 'memory:',
    };
    up = await startProgram('up', { data, args: ['--drivers', '0'], env: { ...unlimited, ...own } });
  }, 300_000);
  afterAll(async () => {
    await up?.stop();
    process.kill(pid(), 'SIGKILL');
    await disk?.close();
    await rm(data, { recursive: true, force: true });
  });
  const pid = () => pidOf('cassandra', server['MERIDIAN_INFRA_DATA']);

  proves('F15', {
    asked: 'a power cut of Cassandra: everything acknowledged is stored, by reading the log again',
    shown: 'two cuts under four senders: batches are accepted meanwhile, and all of them are read back',
    settings: ['no rate limits'],
    control: {
      in: 'ingest/write-locations.ts',
      change: "throw new StoreUnavailable('The location store did not store a batch.', { cause });",
      to: 'void cause;',
    },
    from: 'outside',
  });
  it('F15: a power cut of Cassandra loses no acknowledged point', async () => {
    const users = Array.from({ length: 4 }, () => `cut-${randomUUID()}`);
    const drivers = await driversOf(data, users);
    const senders = startSenders(up.url, drivers);
    for (let cut = 0; cut < cuts; cut += 1) {
      await senders.more(100);
      await disk.cutForGood([pid()]);
      await senders.more(40);
      await infra('start', 'cassandra', server);
    }
    await senders.stop();
    expect([...senders.statuses.keys()]).toEqual([202]);
    await eventually(() => allStored(up.url, drivers, senders.batches));
  }, 300_000);
});
