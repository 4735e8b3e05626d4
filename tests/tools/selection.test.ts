import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { longest, patterns, selected } from '../selection.js';

const files = (selection: 'quick' | 'usual' | 'full') => Object.values(selected(selection)).flat();

describe('which tests run when', () => {
  it('every test file runs in the full selection, and each smaller selection is part of the next', () => {
    const [quick, usual, full] = [files('quick'), files('usual'), files('full')];
    expect(full.toSorted()).toEqual(
      readdirSync('tests', { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.real.test.ts'))
        .map((name) => `tests/${name}`)
        .toSorted(),
    );
    expect(usual.filter((file) => !full.includes(file))).toEqual([]);
    expect(quick.filter((file) => !usual.includes(file))).toEqual([]);
    expect(quick.length).toBeGreaterThan(full.length / 3);
  });

  it('the quick tests start nothing and need no build, even through their imports from packages', () => {
    const quick = files('quick');
    // The first starts a compiled program, the second reads the built page, the third a compiled worker.
    for (const file of [
      'tests/payment-simulator/psp.test.ts',
      'tests/web/bundle-budget.test.ts',
      'tests/processors/traffic/start-traffic.test.ts',
    ]) {
      expect(quick, file).not.toContain(file);
      expect(files('usual'), file).toContain(file);
    }
    expect(quick).toContain('tests/routing-engine/guide.test.ts');
  });

  it('no quick test needs the database of the run or has to wait for others', () => {
    const { databases, programs, serial } = selected('quick');
    expect([databases, programs, serial]).toEqual([[], [], []]);
  });

  it('no file runs twice, and files that measure or change their process share none', () => {
    expect(new Set(files('full')).size).toBe(files('full').length);
    const { alone, databases, programs, serial, together } = selected('full');
    // The first measures memory itself, the second through the contract that it imports.
    expect(alone).toContain('tests/tile-builder/lazy-memory.test.ts');
    expect(alone).toContain('tests/contracts/http-server.node.test.ts');
    expect(alone).toContain('tests/payment/ledger-kills.test.ts');
    expect(databases).toContain('tests/payment/mails.test.ts');
    expect(together).toContain('tests/routing-engine/guide.test.ts');
    expect(programs).toContain('tests/browser/live-page.test.ts');
    // What is expected of their speed would fail beside others.
    expect(serial).toContain('tests/hotel/peak.test.ts');
    expect(serial).toContain('tests/programs/stops.test.ts');
    // Others would fail beside it.
    expect(serial).toContain('tests/faults/no-processor.test.ts');
  });

  it('each name in the lists is still that of a file', () => {
    const full = files('full');
    expect(longest.filter((file) => !full.includes(file))).toEqual([]);
    // A pattern for several files has them in parentheses.
    const each = patterns.flatMap(({ source }) => {
      const [all, names] = /\((?!\?)(.*?)\)/.exec(source) ?? [];
      return names?.split('|').map((name) => source.replace(all!, name)) ?? [source];
    });
    expect(each.filter((source) => !full.some((file) => new RegExp(source).test(file)))).toEqual([]);
  });
});
