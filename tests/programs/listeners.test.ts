import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';

/**
 * On Linux every address of 127.0.0.0/8 leads to this machine, and a listener on 127.0.0.1 does not serve it.
 */
const elsewhere = (url: string): string => url.replace('127.0.0.1', '127.0.0.2');

async function status(url: string): Promise<number | 'refused'> {
  return fetch(url).then(
    (answer) => answer.status,
    () => 'refused' as const,
  );
}

describe.skipIf(process.platform !== 'linux')(
  'the listeners of a program with a HOST that is open to all',
  () => {
    let data: string;
    let ingest: RunningProgram;
    beforeAll(async () => {
      data = await mkdtemp(join(tmpdir(), 'meridian-listeners-'));
      ingest = await startProgram('ingest', { data, env: { HOST: '0.0.0.0' } });
    });
    afterAll(async () => {
      await ingest?.stop();
      await rm(data, { recursive: true, force: true });
    });

    it('S4: the staff listener stays on loopback, and only it has /metrics', async () => {
      expect(await status(`${elsewhere(ingest.url)}/healthz`)).toBe(200);
      expect(await status(`${elsewhere(ingest.internalUrl)}/healthz`)).toBe('refused');
      expect(await status(`${ingest.url}/metrics`)).toBe(404);
      expect(await status(`${ingest.internalUrl}/metrics`)).toBe(200);
    });

    it('S4: INTERNAL_HOST opens the staff listener', async () => {
      const open = await startProgram('ingest', { data, env: { INTERNAL_HOST: '0.0.0.0' } });
      try {
        expect(await status(`${elsewhere(open.internalUrl)}/healthz`)).toBe(200);
        expect(await status(`${elsewhere(open.url)}/healthz`)).toBe('refused');
      } finally {
        await open.stop();
      }
    });

    it('in production, a listener that is open to all and has no TLS needs PLAIN_CONNECTIONS', async () => {
      const env = { NODE_ENV: 'production', JWKS_URL: 'http://127.0.0.1:9/keys', HOST: '0.0.0.0' };
      const refused = await meridian(['ingest'], { ...env, MERIDIAN_DATA: data });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('PLAIN_CONNECTIONS=HOST.')]);
      const open = await startProgram('ingest', { data, env: { ...env, PLAIN_CONNECTIONS: 'HOST' } });
      await open.stop();
      expect(open.output()).toContain('HOST (0.0.0.0) has no TLS');
      expect(open.output()).not.toContain('INTERNAL_HOST (');
      expect(ingest.output()).not.toContain('has no TLS');
    });
  },
);
