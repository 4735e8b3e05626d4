import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from './fault.mjs';
import { logFolder } from './settings.mjs';

/** The last lines of a log, indented, for the end of an error. */
export function tailOf(logFile, lines = 15) {
  const all = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  return all
    .slice(-lines)
    .map((line) => `    ${line.slice(0, 240)}`)
    .join('\n');
}

/**
 * Runs a program to its end; what it prints goes to `logs/<log>.log`.
 * @throws {Fault} with `advice` and the tail of the log when it is missing or fails
 */
export async function run(file, args, { log, advice, env, cwd, input = '' }) {
  const logFile = join(logFolder, `${log}.log`);
  const out = openSync(logFile, 'w');
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', out, out] });
  closeSync(out);
  // A program that ends without reading its input is judged by its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const outcome = await new Promise((settle) => {
    child.once('error', (error) =>
      settle(error.code === 'ENOENT' ? `${file} is not installed` : error.message),
    );
    child.once('exit', (code, signal) =>
      settle(code === 0 ? undefined : `${file} ended with ${code ?? signal}`),
    );
  });
  if (outcome !== undefined) throw new Fault(`${outcome}. ${advice}\n${tailOf(logFile)}`.trimEnd());
}
