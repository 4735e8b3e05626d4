import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = await readFile(join(root, 'docs/api-keys.md'), 'utf8');
const [block = ''] = [...page.matchAll(/```sh run\n([\s\S]*?)```/g)].map(([, text]) => text!);

describe('docs/api-keys.md', () => {
  let platform: RunningProgram;
  let data: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-keys-page-'));
    const env = { API_KEYS: 'optional' };
    platform = await startProgram('up', { data, args: ['--drivers', '0'], env });
  }, 240_000);
  afterAll(async () => {
    await platform?.stop();
    await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('its commands add a customer, whose key is accepted and listed', () => {
    expect(block).toContain('npx meridian keys create');
    const script = block.replaceAll('http://localhost:8080', platform.url);
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        MERIDIAN_DATA: data,
        INTERNAL_PORT: new URL(platform.internalUrl).port,
      },
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('"formatted_address"');
    expect(stdout).not.toContain('"type":"/problems/');
    expect(stdout).toMatch(/^mk_[0-9a-f]{16} {2}valid {2}(map,geocoding|geocoding,map) {2}web shop/m);
    expect(stdout).toMatch(/^THIS MONTH {2}REQUESTS {2}QUOTA$/m);
  });
});
