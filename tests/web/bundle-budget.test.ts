import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const bundle = join(dirname(fileURLToPath(import.meta.url)), '../../dist/web');
const files = readdirSync(join(bundle, 'assets'));
const gzipKb = (names: Iterable<string>) =>
  [...names].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(bundle, 'assets', name))).byteLength / 1_000,
    0,
  );

/** The scripts that a page loads, at once or later. */
function scriptsOf(page: string): ReadonlySet<string> {
  const found = new Set<string>();
  const read = (text: string): void => {
    for (const name of files)
      if (/\.m?js$/.test(name) && !found.has(name) && text.includes(name)) {
        found.add(name);
        read(readFileSync(join(bundle, 'assets', name), 'utf8'));
      }
  };
  read(readFileSync(join(bundle, page), 'utf8'));
  return found;
}
const ofTheMap = /^(?:maplibre|worker-policy|theme|hotel-map|city-map|map-words)/;
/** Loaded only by a browser without WebGL, which then loads no map library. */
const withoutWebGl = /^static-map-/;
/** Pages that are loaded when they are first opened. */
const later = /^(?:staff-rooms|staff-groups|staff-rates|room-plan|plan-messages\.en)-/;
/** The library and texts of a sign-in: only where people sign in at a provider. */
const atProvider = /^(?:at-provider|provider|sign-in-messages)/;
/** Texts of a language that a page of another language does not load. */
const otherLanguage = /^(?:card-|finance-|plan-|staff-)?messages\.(?:sv|de)-/;
const english = /^(?:card-|finance-|staff-)?messages\.en-/;

describe('the bundle of the page', () => {
  it('stays within its budget, gzipped: 75 kB of our own, 515 kB with the map library and worker', () => {
    const all = [...scriptsOf('index.html')].filter((name) => !atProvider.test(name));
    const scripts = all.filter((name) => !withoutWebGl.test(name));
    expect(all).toHaveLength(scripts.length + 1);
    expect(gzipKb(all.filter((name) => withoutWebGl.test(name)))).toBeLessThan(2.5);
    expect(scripts.length).toBeGreaterThan(5);
    expect(gzipKb(scripts.filter((name) => !name.startsWith('maplibre')))).toBeLessThan(75);
    expect(gzipKb(scripts)).toBeLessThan(515);
    const styles = files.filter((name) => name.endsWith('.css'));
    // Pages that no traveller opens have their own limits.
    const apart = (page: string) => styles.filter((name) => name.startsWith(page));
    const [forOperators, forDesk] = [apart('operations'), apart('room-plan')];
    expect([forOperators.length, forDesk.length]).toEqual([1, 1]);
    expect(gzipKb(styles.filter((name) => ![...forOperators, ...forDesk].includes(name)))).toBeLessThan(10.5);
    expect(gzipKb(forOperators)).toBeLessThan(2);
    expect(gzipKb(forDesk)).toBeLessThan(1.5);
  });

  it.each([
    // Dates, prices, pictures and saved cards.
    ['stay', 30],
    // Today and the calendar are in it: loaded later, they would be 0.1 kB less.
    ['staff', 31],
    // With payments, their timelines, balances and the audit log.
    ['finance', 27],
    ['payment', 26],
    ['operations', 27],
  ] as const)('of %s stays within %s kB beside the map', (page, limit) => {
    const scripts = [...scriptsOf(`${page}/index.html`)].filter(
      (name) => !ofTheMap.test(name) && !otherLanguage.test(name) && !atProvider.test(name),
    );
    const atOnce = scripts.filter((name) => !later.test(name));
    expect(atOnce.length).toBeGreaterThan(2);
    expect(gzipKb(atOnce)).toBeLessThan(limit);
    const opened = scripts.filter((name) => later.test(name));
    expect(opened.length).toBe({ staff: 5, stay: 0, finance: 0, payment: 0, operations: 0 }[page]);
    // Dragging by mouse, finger and keys is the most that one page does.
    for (const name of opened) expect(gzipKb([name])).toBeLessThan(name.startsWith('room-plan') ? 7 : 6);
  });

  it('loads at most 12 kB more where people sign in at a provider', () => {
    for (const page of ['index.html', 'stay/index.html', 'operations/index.html']) {
      const more = [...scriptsOf(page)].filter((name) => atProvider.test(name));
      expect(more.length).toBeGreaterThan(2);
      expect(gzipKb(more.filter((name) => !/messages\.(?:sv|de)-/.test(name)))).toBeLessThan(12);
      // The page that ends a sign-in does so when it is loaded: no other page may load it.
      for (const name of more)
        expect(readFileSync(join(bundle, 'assets', name), 'utf8')).not.toMatch(
          /assets\/sign-in-[\w-]{8}\.js|import"[^"]*sign-in-(?!messages)/,
        );
    }
  });

  it('of stays and of payments loads the texts of one language, each little larger than English', () => {
    for (const page of ['stay', 'payment', 'operations']) {
      const scripts = [...scriptsOf(`${page}/index.html`)];
      const sizeOf = (language: string) =>
        gzipKb(scripts.filter((name) => name.includes(`messages.${language}-`)));
      expect(sizeOf('en')).toBeGreaterThan(0.5);
      for (const language of ['sv', 'de']) {
        expect(sizeOf(language)).toBeGreaterThan(0.5);
        expect(sizeOf(language)).toBeLessThan(1.3 * sizeOf('en'));
      }
      // No text is in a file that every language loads.
      for (const name of scripts.filter((each) => !otherLanguage.test(each) && !english.test(each)))
        expect(readFileSync(join(bundle, 'assets', name), 'utf8')).not.toContain('Mit Karte bezahlen');
    }
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
