import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startPlatform } from './running-platform.js';
import { mainJob } from './scenario.js';

/** Named so that a missing server is a failure with a reason, never a quiet run on embedded adapters. */
const needed = ['EVENT_LOG', 'SCHEMA_REGISTRY_URL', 'LOCATIONS', 'CACHE', 'OBJECTS'];
const missing = needed.filter((name) => process.env[name] === undefined);

const folder = await mkdtemp(join(tmpdir(), 'meridian-main-job-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

mainJob('real servers', () => {
  if (missing.length > 0) throw new Error(`run infra/up first and set ${missing.join(', ')}`);
  return startPlatform(folder, ['--drivers', '0']);
});
