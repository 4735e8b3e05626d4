import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.js';

const program = fileURLToPath(new URL('./fixtures/program.mjs', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'program-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  readonly exited: Promise<number | null>;
  /** The signal that ended it. */
  readonly endedBy: Promise<NodeJS.Signals | null>;
  readonly said: (text: string) => Promise<void>;
}

/** Long enough for a second signal to count separately. */
const pastEcho = () => new Promise((resolve) => setTimeout(resolve, 400));
const children: ChildProcess[] = [];

function run(mode: string, pidFile = ''): Run {
  const child = spawn(process.execPath, [program, mode, ...(pidFile === '' ? [] : [pidFile])]);
  children.push(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => {
    output += String(data);
  });
  child.stderr.on('data', (data) => {
    errors += String(data);
  });
  const exited = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  const endedBy = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => resolve(signal)),
  );
  const said = async (text: string) => {
    await eventually(() => expect(output, errors).toContain(text));
  };
  return { child, output: () => output, errors: () => errors, exited, endedBy, said };
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const stopped = (output: string) => [...output.matchAll(/stopped (\w+)/g)].map(([, step]) => step);

describe('F3: the life of a program', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s undoes the start in reverse order and exits 0',
    async (signal) => {
      const pidFile = join(folder, 'deep', `${signal}.pid`);
      const one = run('plain', pidFile);
      await one.said('started');
      expect(Number(await readFile(pidFile, 'utf8'))).toBe(one.child.pid);
      one.child.kill(signal);
      expect(await one.exited).toBe(0);
      expect(stopped(one.output())).toEqual(['third', 'second', 'first']);
      expect(existsSync(pidFile)).toBe(false);
    },
  );

  test('a step that fails to stop does not prevent the others from stopping; exit 1', async () => {
    const one = run('failing-stop');
    await one.said('started');
    one.child.kill('SIGTERM');
    expect(await one.exited).toBe(1);
    expect(stopped(one.output())).toEqual(['third', 'second', 'first']);
    expect(one.output()).toContain('stuck valve');
  });

  test('the deadline ends a drain that hangs, with exit 1', async () => {
    const one = run('stuck');
    await one.said('started');
    one.child.kill('SIGTERM');
    expect(await one.exited).toBe(1);
    expect(one.output()).toContain('it did not stop in time');
  });

  test.each(['hangs-at-exit', 'blocks'])(
    'a program that %s is killed a second after its drain',
    async (mode) => {
      const one = run(mode);
      await one.said('started');
      one.child.kill('SIGTERM');
      expect(await one.endedBy).toBe('SIGKILL');
    },
  );

  test('kills a program whose writes do not finish, without cleaning up', async () => {
    const pidFile = join(folder, 'writes-on.pid');
    const one = run('writes-on', pidFile);
    await one.said('started');
    one.child.kill('SIGTERM');
    expect(await one.endedBy).toBe('SIGKILL');
    expect(stopped(one.output())).toEqual(['third', 'second', 'first']);
    expect(one.output()).not.toContain('tidied at the exit');
    expect(existsSync(pidFile)).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'a second %s ends it immediately, without cleaning up',
    async (signal) => {
      const pidFile = join(folder, `second-${signal}.pid`);
      const one = run('slow', pidFile);
      await one.said('started');
      one.child.kill(signal);
      await one.said('stopping');
      await pastEcho();
      one.child.kill(signal);
      expect(await one.endedBy).toBe(signal);
      expect(one.output()).not.toContain('tidied at the exit');
      expect(existsSync(pidFile)).toBe(false);
    },
  );

  test('a signal that arrives twice at once, as npm forwards Ctrl-C, counts once', async () => {
    const one = run('plain');
    await one.said('started');
    one.child.kill('SIGINT');
    one.child.kill('SIGINT');
    expect(await one.exited).toBe(0);
    expect(stopped(one.output())).toEqual(['third', 'second', 'first']);
  });

  test('F41: a failing start undoes what was started and exits 1 with one plain sentence', async () => {
    const one = run('fails');
    expect(await one.exited).toBe(1);
    expect(one.errors()).toBe('fixture: EVENT_LOG kafka://nowhere is unavailable: connection refused.\n');
    expect(stopped(one.output())).toEqual(['third', 'second', 'first']);
  });

  test.each(['uncaught', 'unhandled'])('an %s error is logged, drains and exits 1', async (mode) => {
    const one = run(mode);
    expect(await one.exited).toBe(1);
    expect(one.output()).toMatch(/an error was not caught/);
    expect(stopped(one.output())).toEqual(['third', 'second', 'first']);
  });

  test('F41: reports a pid file that cannot be written', async () => {
    const one = run('plain', join(program, 'pid'));
    expect(await one.exited).toBe(1);
    expect(one.errors()).toMatch(/PID_FILE .+ cannot be written/);
  });
});
