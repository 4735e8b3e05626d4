import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { afterChange, initialProgress } from '#map-data/release/builder-progress.js';
import { byName, ChangesMissing, listChanges } from '#tile-builder/follow/list-changes.js';
import { waitingChanges } from '#tile-builder/follow/waiting-changes.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-changes-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), '');
  }
}

const done = (...names: readonly string[]) =>
  names.reduce((standing, name) => afterChange(standing, name, 'ab'), initialProgress('cd'));

describe('change files of a folder', () => {
  it('change files are sorted by name, in which numbers count as numbers', async () => {
    await put('10.osc', '9.osc.gz', '2026-01-10.osc', '2026-01-9.osc', 'a.osc');
    expect(await listChanges(folder)).toEqual([
      '9.osc.gz',
      '10.osc',
      '2026-01-9.osc',
      '2026-01-10.osc',
      'a.osc',
    ]);
  });

  it('change files may be in the folders of replication too; other files are ignored', async () => {
    await put('000/001/000.osc.gz', '000/000/999.osc.gz', '001/000/000.osc.gz');
    await put(
      '000/000/999.state.txt',
      'state.txt',
      '.hidden.osc',
      'a.osc.part',
      'old/b.osc',
      '000/000/000/1.osc',
    );
    expect(await listChanges(folder)).toEqual([
      '000/000/999.osc.gz',
      '000/001/000.osc.gz',
      '001/000/000.osc.gz',
    ]);
  });

  it('cannot follow a missing folder', async () => {
    await expect(listChanges(join(folder, 'nowhere'))).rejects.toThrow(ChangesMissing);
  });

  it('the order of two files does not depend on which is compared first', () => {
    const names = ['1.osc', '01.osc', '10.osc', '1a.osc', 'a1.osc', 'a.osc', '000/001/002.osc', '1/2.osc'];
    for (const a of names)
      for (const b of names) expect(Math.sign(byName(a, b))).toBe(-Math.sign(byName(b, a)) + 0);
  });
});

describe('pending changes', () => {
  it('pending changes are those after the last applied one', () => {
    expect(waitingChanges(['a.osc', 'b.osc', 'c.osc'], done('a.osc', 'b.osc')).names).toEqual(['c.osc']);
    expect(waitingChanges(['a.osc', 'b.osc'], initialProgress('ef'))).toEqual({
      names: ['a.osc', 'b.osc'],
      fault: undefined,
    });
  });

  it('pending changes end before a gap in a series', () => {
    const all = ['000/000/998.osc.gz', '000/000/999.osc.gz', '000/001/000.osc.gz', '000/001/002.osc.gz'];
    const { names, fault } = waitingChanges(all, done('000/000/998.osc.gz'));
    expect(names).toEqual(all.slice(1, 3));
    expect(fault?.message).toMatch(/000\/001\/002.osc.gz comes after 000\/001\/000.osc.gz: .*fetch it/);
    expect(waitingChanges(['7.osc'], done('5.osc')).fault).toBeInstanceOf(ChangesMissing);
  });

  it('leaves out applied changes that were deleted, and rejects one that arrives in between', () => {
    expect(waitingChanges(['c.osc'], done('a.osc', 'b.osc')).names).toEqual(['c.osc']);
    expect(() => waitingChanges(['a.osc', 'aa.osc', 'b.osc'], done('a.osc', 'b.osc'))).toThrow(
      /one came too late/,
    );
  });
});
