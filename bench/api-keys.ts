import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeKey, putCustomer, putPlan } from '#platform/api-keys/customer-store.js';
import { customerMigrations } from '#platform/api-keys/tables.js';
import { openSql } from '#platform/sql/open-sql.js';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * What does an API key add to the CPU of a small request? The same server without API keys; with them, for a
 * request without a key, with one, and with one whose plan has a monthly quota. In turns, in several rounds.
 * Afterwards, the counts of the database must equal the answers.
 */
const rounds = Number(process.env['ROUNDS'] ?? 9);
const seconds = Number(process.env['SECONDS'] ?? 2);
const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
const address = `embedded:${join(folder, 'sql')}`;
const sql = await openSql(address);
await sql.migrate('customers', customerMigrations);

async function keyOf(customerId: string, perMonth: { readonly map?: number }): Promise<string> {
  await putPlan(sql, { planId: customerId, perSecond: 1e5, burst: 1e6, perMonth });
  await putCustomer(sql, { customerId, name: customerId, planId: customerId }, new Date());
  const request = { families: ['map'], label: undefined, expiresAt: undefined } as const;
  const made = await makeKey(sql, customerId, request, new Date());
  if (typeof made === 'string') throw new Error(made);
  return made.secret;
}

async function start(...args: string[]): Promise<{ readonly pid: number; readonly port: number }> {
  const script = fileURLToPath(new URL('./api-keys/metered-server.js', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { pid: child.pid!, port: Number(line) };
}

const [off, on] = [await start(), await start(address, join(folder, 'usage'))];
const cases = {
  off: { server: off, key: undefined },
  withoutKey: { server: on, key: undefined },
  withKey: { server: on, key: await keyOf('free', {}) },
  withQuota: { server: on, key: await keyOf('paying', { map: 1e9 }) },
} as const;
type Case = keyof typeof cases;
const names = Object.keys(cases) as Case[];
let answered = 0;

async function microsecondsPerRequest(name: Case): Promise<number> {
  const { server, key } = cases[name];
  const line = key === undefined ? '' : `X-API-Key: ${key}\r\n`;
  const request = Buffer.from(`GET /tile HTTP/1.1\r\nHost: x\r\n${line}\r\n`);
  const before = processCpuSeconds(server.pid);
  const loop = { port: server.port, connections: 32, seconds, nextRequest: () => request };
  const { answers } = await closedLoop(loop);
  const good = answers.get(200) ?? 0;
  if (answers.size !== 1) throw new Error(`void: answers by status ${JSON.stringify([...answers])}`);
  if (key !== undefined) answered += good;
  return ((processCpuSeconds(server.pid) - before) * 1e6) / good;
}

const figures: Record<Case, number[]> = { off: [], withoutKey: [], withKey: [], withQuota: [] };
// The first round warms all of them and is not counted.
for (let round = 0; round <= rounds; round++)
  for (const name of names) {
    const us = await microsecondsPerRequest(name);
    console.error(`round ${round}: ${name} ${us.toFixed(2)} us`);
    if (round > 0) figures[name].push(us);
  }

// The last counts are flushed within two seconds, and requests that had no answer yet may be among them.
await new Promise((wake) => setTimeout(wake, 3_000));
const { rows } = await sql.query<{ readonly sum: bigint }>(
  'SELECT sum(requests)::bigint AS sum FROM usage_day',
);
const surplus = Number(rows[0]!.sum) - answered;
if (surplus < 0) throw new Error(`void: ${-surplus} answered requests were not counted`);

const result = {
  microsecondsPerRequest: Object.fromEntries(names.map((name) => [name, spread(figures[name])])),
  overOff: Object.fromEntries(
    names.slice(1).map((name) => [name, spread(figures[name].map((us, at) => us / figures.off[at]!))]),
  ),
  answered,
  countedBeyond: surplus,
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('api-keys', result);
await sql.close();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
