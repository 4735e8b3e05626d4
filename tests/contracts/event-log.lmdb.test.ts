import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { eventLogContract } from './event-log.contract.js';

const folder = await mkdtemp(join(tmpdir(), 'event-log-'));

eventLogContract({
  name: 'LMDB',
  open: () => LmdbEventLog.open({ folder }),
  dispose: () => rm(folder, { recursive: true }),
});
