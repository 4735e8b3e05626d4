import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { PbfFile } from '#bench/map-tiles/write-pbf.js';
import { smallTown } from '../osm/random-changes.js';

const folder = mkdtempSync(join(tmpdir(), 'meridian-cli-follow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));
const extract = join(folder, 'town.osm.pbf');
const changes = join(folder, 'changes');
mkdirSync(changes);
const pbf = new PbfFile(extract);
smallTown(pbf.sink);
pbf.end();

/** Like a downloader of changes: written elsewhere, then moved there in one step. */
function put(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  renameSync(join(folder, name), join(changes, name));
}

const lane = (id: number): string =>
  `<osmChange><create><node id="${id}" lat="58.0001" lon="12.0${id}"/><way id="${id}"><nd ref="7"/><nd ref="${id}"/>` +
  `<tag k="highway" v="residential"/><tag k="name" v="Lane ${id}"/></way></create></osmChange>`;

class Follower {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;
  stderr = '';

  constructor(...args: readonly string[]) {
    this.child = spawn(
      process.execPath,
      [command, 'tiles', 'follow', extract, '--changes', changes, '--interval', '1', '--no-map', ...args],
      { env: { ...process.env, MERIDIAN_DATA: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.child.stderr.on('data', (text) => (this.stderr += text));
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    return ((await this.#lines.next()).value as string | undefined) ?? `ended: ${this.stderr}`;
  }

  async end(signal?: NodeJS.Signals): Promise<number | null> {
    const ended = once(this.child, 'close');
    if (signal !== undefined) this.child.kill(signal);
    return ((await ended) as [number | null])[0];
  }
}

describe('meridian tiles follow', () => {
  it('builds changes as they arrive, stops on a signal, resumes, stops at a damaged file', async () => {
    put('001.osc', lane(2001));
    const follower = new Follower('--json');
    const first = JSON.parse(await follower.line()) as { edgeCount: number; standing: object };
    expect(first.standing).toMatchObject({ files: 1, last: '001.osc' });
    put('002.osc', lane(2002));
    const second = JSON.parse(await follower.line()) as { edgeCount: number; newFiles: number };
    expect([second.newFiles, second.edgeCount]).toEqual([1, first.edgeCount + 2]);
    expect(await follower.end('SIGTERM')).toBe(0);

    const again = new Follower();
    expect(await again.line()).toMatch(
      /^release [0-9a-f]{16} is now served: 2 change files up to 002.osc, 2 new, built in \d+\.\d s$/,
    );
    put('003.osc', lane(2003).slice(0, -4));
    expect(await again.end()).toBe(1);
    const told = again.stderr.trim().split('\n');
    expect(told.at(-1)).toMatch(
      /003.osc: unclosed tag: osmChange at line 1, column \d+; the change file is damaged/,
    );
    expect(told.slice(0, -1).every((line) => line.endsWith('; retrying'))).toBe(true);
  });

  it('rejects a missing folder with one sentence', async () => {
    rmSync(changes, { recursive: true });
    const follower = new Follower();
    expect(await follower.end()).toBe(1);
    expect(follower.stderr.trim()).toMatch(/changes\/?: cannot be listed \(ENOENT/);
  });
});
