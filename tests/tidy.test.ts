import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.stdout.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = files.filter((file) => /\.(ts|tsx|js|mjs)$/.test(file));

/** Files that are long for a reason. */
const longFiles = new Map<string, string>([
  ['platform/http/server/request-pipeline.ts', 'a state machine: the life of one request'],
  ['platform/http/server/socket-hub.ts', 'a state machine: the life of one socket'],
  ['schemas/messages.ts', 'a list: the messages of all topics'],
  ['schemas/http/hotel-staff.ts', 'a list: the operations of the front desk'],
]);

/** `XXX` is a code of ISO 4217 ("no currency") here, not a marker of unfinished work. */
const withIsoCodes = new Set([
  'schemas/currency.ts',
  'tests/hotel/http-hotels.test.ts',
  'tests/payment/money.test.ts',
  'payment-simulator/card-page-book.ts',
  'payment-simulator/psp-store.ts',
]);

describe('the repository is tidy', () => {
  it('lists its files', () => {
    expect(files).toContain('package.json');
  });

  it('names files in kebab-case, after their content', () => {
    const odd = sources.filter(
      (file) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/.test(basename(file)) && !basename(file).startsWith('.'),
    );
    expect(odd).toEqual([]);
    const vague = files.filter((file) => /(^|\/)(utils?|helpers?|common|manager|misc)(\/|\.|-|$)/.test(file));
    expect(vague).toEqual([]);
  });

  it('keeps files short enough for one idea', () => {
    const long = sources.filter(
      (file) => !file.startsWith('tests/') && read(file).split('\n').length > 320 && !longFiles.has(file),
    );
    expect(long).toEqual([]);
  });

  it('has a README in every package', () => {
    const packages = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, entry.name, 'tsconfig.json')))
      .map((entry) => entry.name);
    expect(packages.length).toBeGreaterThan(8);
    expect(packages.filter((room) => !existsSync(join(root, room, 'README.md')))).toEqual([]);
  });

  it('has no test that is skipped without a reason, and no exclusive test', () => {
    const tests = sources.filter((file) => file.startsWith('tests/') && file !== 'tests/tidy.test.ts');
    expect(tests.filter((file) => /\b(it|test|describe)\.(only|todo)\b/.test(read(file)))).toEqual([]);
    expect(tests.filter((file) => /\b(it|test|describe)\.skip\(/.test(read(file)))).toEqual([]);
  });

  it('contains no path of a machine and nothing unfinished', () => {
    const telling = files.filter(
      (file) =>
        /\.(ts|tsx|js|mjs|md|json|yaml|sh)$/.test(file) &&
        file !== 'package-lock.json' &&
        file !== 'tests/tidy.test.ts',
    );
    expect(telling.filter((file) => /(^|[\s"'`(=])\/(work|root|farm)\//m.test(read(file)))).toEqual([]);
    const unfinished = (text: string): boolean => /\b(TODO|FIXME|XXX|HACK)\b/.test(text);
    const words = (file: string): string =>
      withIsoCodes.has(file) ? read(file).replaceAll(/\bXXX\b/g, '') : read(file);
    expect(telling.filter((file) => unfinished(words(file)))).toEqual([]);
  });

  it('contains no map extract except the default map, which its README describes', () => {
    const map = 'map-data/malta/malta.osm.pbf';
    expect(files.filter((file) => /\.(osm|pbf)(\.|$)/.test(file))).toEqual([map]);
    expect(files.filter((file) => readFileSync(join(root, file)).length > 2 ** 20)).toEqual([map]);
    const bytes = readFileSync(join(root, map));
    const described = read('map-data/malta/README.md');
    expect(described).toContain(createHash('sha256').update(bytes).digest('hex'));
    expect(described).toContain(`${bytes.length.toLocaleString('en')} bytes`);
    expect(described).toContain('Open Database License 1.0');
    expect(described).toContain('© OpenStreetMap contributors');
  });

  it('has no broken links', () => {
    const broken: string[] = [];
    for (const file of files.filter((name) => name.endsWith('.md'))) {
      for (const [, target] of read(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
        if (/^[a-z]+:/.test(target!)) continue;
        if (!existsSync(join(root, normalize(join(dirname(file), target!)))))
          broken.push(`${file} → ${target}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('has a unique number for every decision', () => {
    const numbers = files
      .filter((file) => file.startsWith('docs/adr/'))
      .map((file) => basename(file).slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.every((number) => /^\d{4}$/.test(number))).toBe(true);
  });

  it('pins every dependency to one version, with its integrity and without install scripts', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const versions = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.filter((version) => !/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { integrity?: string; resolved?: string }>;
    };
    const entries = Object.entries(lock.packages).filter(([name]) => name !== '');
    expect(entries.filter(([, entry]) => entry.integrity === undefined)).toEqual([]);
    expect(entries.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
    expect(read('.npmrc')).toContain('ignore-scripts=true');
  });
});
