import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort, meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';

describe('two programs that cannot share a data folder', () => {
  let data: string;
  let up: RunningProgram;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-second-'));
    up = await startProgram('up', { data, args: ['--drivers', '0'] });
  });
  afterAll(async () => {
    await up?.stop();
    await rm(data, { recursive: true, force: true });
  });

  const second = async (...command: string[]) => {
    const ports = { PORT: String(await freePort()), INTERNAL_PORT: String(await freePort()) };
    return meridian(command, { MERIDIAN_DATA: data, ...ports });
  };

  it('F41: a second up is rejected with one sentence that names the folder and the process', async () => {
    const { code, stderr } = await second('up');
    expect(code).toBe(2);
    expect(stderr).toBe(
      `The data folder ${data} is in use by another meridian up, process ${up.pid}. ` +
        'Stop that process, or set MERIDIAN_DATA to another folder.\n',
    );
    expect((await fetch(`${up.url}/readyz`)).status).toBe(200);
  });

  it('F41: a second simulated payment provider is rejected: it would not know the payments', async () => {
    const { code, stderr } = await second('payment');
    expect(code).toBe(2);
    expect(stderr).toContain(`${data} is in use by another simulated payment provider, process ${up.pid}.`);
  });

  it('a score of a platform without simulated drivers is rejected with one sentence', async () => {
    const addresses = ['--url', up.url, '--internal-url', up.internalUrl];
    const { code, stderr } = await meridian(['city', 'score', ...addresses], { MERIDIAN_DATA: data });
    expect([code, stderr]).toEqual([
      2,
      `${up.internalUrl}/v1/simulation/truth does not exist there: the platform runs without simulated drivers.\n`,
    ]);
  });

  /** A score of a platform that answers 503 so often and then has no simulation. */
  const scoreOf = async (busyAnswers: number, ...more: string[]) => {
    let asked = 0;
    const busy = createServer((_, response) => {
      asked += 1;
      response.writeHead(asked <= busyAnswers ? 503 : 404, { 'retry-after': '1' }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void busy.close());
    await once(busy, 'listening');
    const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    const args = ['city', 'score', '--url', url, '--internal-url', url, ...more];
    const { code, stdout, stderr } = await meridian(args, { MERIDIAN_DATA: data });
    const again = `${url}/v1/traffic is busy or not ready (503). Asking again.\n`;
    return { url, code, stdout, stderr, again };
  };

  it('a score asks a busy platform again instead of ending', async () => {
    const { url, code, stderr, again } = await scoreOf(2);
    expect([code, stderr.replaceAll(again, '').trim()]).toEqual([
      2,
      `${url}/v1/traffic does not exist there: the platform runs without simulated drivers.`,
    ]);
    expect(stderr.split(again)).toHaveLength(3);
  });

  it('a score of a platform that was busy all the time is none', async () => {
    const { url, code, stdout, stderr, again } = await scoreOf(1_000, '--minutes', '1');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.replaceAll(again, '').trim()).toBe(`${url} was busy all the time: nothing was compared.`);
  });

  it('F41: after kill -9 the folder is free immediately', async () => {
    up.signal('SIGKILL');
    await up.ended;
    up = await startProgram('up', { data, args: ['--drivers', '0'] });
  });
});
