import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledTree } from '../../compiled-tree.js';
import { eventually } from '../../eventually.js';
import { type Metered, startMetered } from './metered.js';

/** A server with one operation, which prints its port. */
const server = `
  const { openSql } = await import('#platform/sql/open-sql.js');
  const { startMetering } = await import('#platform/api-keys/start-metering.js');
  const { createHttpServer } = await import('#platform/http/server/http-server.js');
  const { route } = await import('#platform/http/http-types.js');
  const { MemoryRateLimiter } = await import('#platform/http/admission/memory-rate-limiter.js');
  const { silentLogger: logger } = await import('#platform/telemetry/logger.js');
  const { createMetrics } = await import('#platform/telemetry/prometheus-metrics.js');
  const [address, folder] = process.argv.slice(1);
  const metrics = createMetrics();
  const sql = await openSql(address);
  const metering = startMetering({ sql, folder, isRequired: false, logger, metrics });
  const contract = {
    operationId: 'tile', method: 'GET', path: '/tile', listener: 'public', tag: 'map', summary: '',
    scopes: 'open', responses: {},
  };
  const rate = { name: 'user', limit: 1000000, windowS: 60 };
  const http = createHttpServer({
    name: 'metered', listener: 'public', logger, metrics, metering,
    rateLimit: { limiter: new MemoryRateLimiter(), perIdentity: rate, perAddress: rate },
    limits: { turnBudgetMs: 60000 },
    routes: [route(contract, () => ({ status: 200, body: 'tile' }))],
  });
  const { port } = await http.listen(0);
  process.stdout.write(port + '\\n');
  process.on('SIGTERM', async () => {
    await http.drain(2000);
    await metering.close();
    process.exit(0);
  });
`;

let metered: Metered;
const children: ChildProcess[] = [];
beforeAll(async () => {
  metered = await startMetered();
  await metered.manage('PUT', '/v1/plans/wide', { perSecond: 100_000, burst: 1_000_000, perMonth: {} });
  await metered.manage('PUT', '/v1/customers/acme', { name: 'A', planID: 'wide' });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await metered?.close();
});

async function startChild(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const { address } = metered.database;
  const child = spawn(process.execPath, ['--input-type=module', '-e', server, address, metered.folder], {
    cwd: compiledTree,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { child, port: Number(line) };
}

interface Sent {
  answered: number;
  /** Sent, but the connection broke: nobody knows whether they were answered. */
  unknown: number;
  /** Never reached a process. */
  refused: number;
}

/** Requests over a few connections, one after the other on each, until `isOver`. */
async function load(port: number, key: string, isOver: () => boolean): Promise<Sent> {
  const sent: Sent = { answered: 0, unknown: 0, refused: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const once = () =>
    new Promise<void>((resolve) => {
      const asked = request({ port, path: '/tile', agent, headers: { 'x-api-key': key } }, (answer) => {
        // The status line alone shows that the request was answered.
        if (answer.statusCode === 200) sent.answered += 1;
        answer
          .on('error', () => {})
          .on('close', resolve)
          .resume();
      });
      asked.on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ECONNREFUSED') sent.refused += 1;
        else sent.unknown += 1;
        resolve();
      });
      asked.end();
    });
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isOver()) await once();
    }),
  );
  agent.destroy();
  return sent;
}

it('P-USAGE: three processes count each answered request once, also of one that is killed', async () => {
  const { secret } = await metered.makeKey('acme', ['map']);
  const started = await Promise.all([startChild(), startChild(), startChild()]);
  let isOver = false;
  const loads = started.map(({ port }) => load(port, secret, () => isOver));
  // Some flushes have happened, and some counts are in the journal of the killed one alone.
  await new Promise((wake) => setTimeout(wake, 3_300));
  started[0]!.child.kill('SIGKILL');
  await new Promise((wake) => setTimeout(wake, 700));
  isOver = true;
  const results = await Promise.all(loads);
  const [killed, ...others] = results as [Sent, ...Sent[]];
  expect(killed.answered).toBeGreaterThan(100);
  for (const { answered, unknown } of others) expect([answered > 100, unknown]).toEqual([true, 0]);
  // One is stopped in order; the last one reads the journal of the killed one.
  started[1]!.child.kill('SIGTERM');
  await once(started[1]!.child, 'exit');
  const answered = results.reduce((sum, sent) => sum + sent.answered, 0);
  const counted = async (): Promise<number> => {
    const { rows } = await metered.database.sql.query<{ readonly sum: bigint }>(
      'SELECT coalesce(sum(requests), 0)::bigint AS sum FROM usage_day',
    );
    return Number(rows[0]!.sum);
  };
  await eventually(
    async () => {
      // That of the parent and of the last child.
      expect(await readdir(metered.folder)).toHaveLength(2);
      expect(await counted()).toBeGreaterThanOrEqual(answered);
    },
    { deadlineMs: 30_000 },
  );
  expect(await counted()).toBeLessThanOrEqual(answered + killed.unknown);
  // No second look adds anything.
  const before = await counted();
  await metered.metering.flush();
  expect(await counted()).toBe(before);
}, 90_000);
