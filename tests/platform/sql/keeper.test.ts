import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { keeper } from '#platform/sql/keeper.js';

/**
 * Runs a Node script under the keeper, closes its lifeline when it prints `up`, and returns what the shell
 * shows.
 */
async function statusAfterTheLifeline(script: string): Promise<number | null> {
  const program = [process.execPath, '-e', `${script}; setInterval(() => {}, 1_000); console.log('up');`];
  const shell = spawn('/bin/sh', ['-c', keeper, 'keeper', '', ...program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(shell.stdout, 'data');
  shell.stdin.end();
  const [status] = (await once(shell, 'close')) as [number | null];
  return status;
}

test('F18: a server whose lifeline closes gets SIGINT and may stop cleanly', async () => {
  expect(await statusAfterTheLifeline("process.on('SIGINT', () => process.exit(7))")).toBe(7);
});

test('F18: a server that does not stop cleanly gets SIGQUIT', async () => {
  const status = await statusAfterTheLifeline(
    "process.on('SIGINT', () => {}); process.on('SIGQUIT', () => process.exit(8))",
  );
  expect(status).toBe(8);
});
