import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startPlatform } from './running-platform.js';
import { mainJob } from './scenario.js';

/** Listed so that a missing server is a failure with a reason, never a silent run on embedded adapters. */
const needed = ['EVENT_LOG', 'SCHEMA_REGISTRY_URL', 'LOCATIONS', 'CACHE', 'OBJECTS'];
const missing = needed.filter((name) => process.env[name] === undefined);

const folder = await mkdtemp(join(tmpdir(), 'meridian-main-job-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

mainJob('real servers', () => {
  if (missing.length > 0) throw new Error(`run infra/up first and set ${missing.join(', ')}`);
  return startPlatform(folder, ['--drivers', '0']);
});

describe('an independent consumer', () => {
  it("M-005: decodes the platform's records with only the broker and the registry", {
    timeout: 180_000,
  }, () => {
    const consumer = fileURLToPath(new URL('../../infra/foreign-consumer', import.meta.url));
    for (const [topic, field] of [
      ['location.batch.recorded.v1', 'user_id'],
      ['traffic.incident.changed.v1', 'incident_id'],
      ['nav.route.changed.v1', 'navigation_id'],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(consumer, [topic, '--max', '1', '--seconds', '60'], {
        encoding: 'utf8',
      });
      expect(status, stderr).toBe(0);
      expect(stdout).toContain(`"${field}"`);
    }
  });
});
