import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hotelMigrations } from '#hotel/migrations.js';
import { openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { openSql } from '#platform/sql/open-sql.js';
import { freshDatabase, waitsForTheDisk } from '../fresh-database.js';

/**
 * Starts `meridian …args` on `port` and its own `folder`, with limits that a load from one address does not
 * meet; resolves when it is ready.
 */
export async function startHotelProgram(
  args: readonly string[],
  { folder, port, env }: { readonly folder: string; readonly port: number; readonly env: NodeJS.ProcessEnv },
): Promise<ChildProcess> {
  const meridian = fileURLToPath(new URL('../../../bin/meridian.js', import.meta.url));
  const child = spawn(process.execPath, [...profiling(), meridian, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      MERIDIAN_DATA: folder,
      PORT: String(port),
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'error',
      // A few tokens from one address stand for all guests.
      RATE_PER_ADDRESS: '1000000',
      TURN_BUDGET_MS: '1000',
      ...env,
    },
  });
  process.on('exit', () => child.kill('SIGKILL'));
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return child;
    await delay(100);
  }
  throw new Error(`void: meridian ${args.join(' ')} was not ready in half a minute`);
}

/** PROFILE names a folder for a CPU profile of the program. */
function profiling(): readonly string[] {
  const folder = process.env['PROFILE'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

/** Tokens of this many customers, valid at a program in `folder`. */
export async function issueTokens(folder: string, many: number): Promise<readonly string[]> {
  const issuer = await openDevelopmentIssuer({
    folder: join(folder, 'dev-issuer'),
    issuer: 'meridian-development',
    audience: 'meridian',
    internalAudience: 'meridian-internal',
    production: false,
  });
  return Promise.all(
    Array.from({ length: many }, (_, n) => issuer.issueToken({ sub: `guest-${n}`, scopes: ['customer'] })),
  );
}

/** Creates a new database with the tables of hotels and durable commits; returns its address. */
export async function makeDatabase(server: string, name: string): Promise<string> {
  const address = await freshDatabase(server, name);
  const sql = await openSql(address, { connectionsMax: 1 });
  await waitsForTheDisk(sql);
  await sql.migrate('hotel', hotelMigrations);
  await sql.close();
  return address;
}
