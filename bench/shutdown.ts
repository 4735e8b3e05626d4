import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendResult, spread } from './append-result.js';
import { meridianCommand } from './routing/open-area.js';
import { goneWithinMs, oneShutdown, type Shutdown } from './shutdown/one-shutdown.js';
import { randomCases } from './shutdown/random-cases.js';

/**
 * How long does a program take to end? SIGTERM at random moments, during the start and under load, with and
 * without time to drain, until no process of the program is left. With the addresses of infra/ in the
 * environment, the same on real servers.
 */
const signals = Number(process.env['SIGNALS'] ?? 100);
const kinds = new Map<string, Shutdown[]>();
const data = { ingest: newFolder(), up: newFolder() };
// The signals are for programs, not for the first build of a map.
spawnSync(process.execPath, [meridianCommand, 'tiles', 'build'], {
  env: { ...process.env, MERIDIAN_DATA: data.up },
  stdio: 'inherit',
});
let leftOver = 0;
let nth = 0;
for (const wanted of randomCases(signals, { upEvery: 3 })) {
  const shutdown = await oneShutdown({ script: meridianCommand, data: data[wanted.program] }, wanted);
  const kind = `${wanted.program}, ${wanted.phase}${wanted.env === undefined ? '' : ', DRAIN_MS=1'}`;
  kinds.set(kind, [...(kinds.get(kind) ?? []), shutdown]);
  nth += 1;
  if (shutdown.left.length > 0) {
    leftOver += 1;
    console.error(
      `left after ${goneWithinMs} ms: ${shutdown.left.join('; ')}\n${shutdown.output.slice(-2_000)}`,
    );
  }
  if (nth % 10 === 0) console.error(`${nth} of ${signals} signals`);
}
const rows = [...kinds].map(([kind, all]) => ({
  kind,
  signals: all.length,
  ms: spread(all.map(({ tookMs }) => tookMs)),
  codes: Object.fromEntries(
    [...new Set(all.map(({ code }) => String(code)))].map((code) => [
      code,
      all.filter((each) => String(each.code) === code).length,
    ]),
  ),
}));
for (const { kind, signals: count, ms, codes } of rows)
  console.log(
    `${kind}: ${count} signals, median ${ms.median} ms, greatest ${ms.greatest} ms, ${JSON.stringify(codes)}`,
  );
const greatestMs = Math.max(...rows.map(({ ms }) => ms.greatest));
console.log(`greatest ${greatestMs} ms, left over ${leftOver}`);
appendResult('shutdown', { signals, greatestMs, leftOver, rows });
for (const folder of Object.values(data)) rmSync(folder, { recursive: true, force: true });
if (leftOver > 0) process.exitCode = 1;

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'meridian-shutdown-'));
}
