import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const bundle = join(dirname(fileURLToPath(import.meta.url)), '../../dist/web');
const files = readdirSync(join(bundle, 'assets'));
const gzipKb = (pick: RegExp) =>
  files
    .filter((name) => pick.test(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(bundle, 'assets', name))).byteLength / 1_000, 0);

describe('the bundle of the page', () => {
  it('stays within its budget, gzipped: 60 kB of our own, 450 kB with the map library and its worker', () => {
    expect(gzipKb(/^(index|city-map).*\.js$/)).toBeLessThan(60);
    expect(gzipKb(/\.js$/)).toBeLessThan(450);
    expect(gzipKb(/\.css$/)).toBeLessThan(8);
  });

  it('N8: has no inline script or style, and names no other host', () => {
    const html = readFileSync(join(bundle, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|style=|\son\w+=|javascript:/i);
    for (const script of html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)) expect(script[1]).toBe('');
    expect(html).not.toMatch(/https?:\/\//);
  });

  it('contains no schema of the contracts', () => {
    const own = files.filter((name) => /^(index|city-map).*\.js$/.test(name));
    for (const name of own)
      expect(readFileSync(join(bundle, 'assets', name), 'utf8')).not.toContain('additionalProperties');
  });
});
