import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';
import { freePort, layMap } from '../main-job/running-platform.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const aliveWithinMs = 60_000;
/** Everything is embedded here, whatever servers the run has. */
const embedded = Object.fromEntries(
  ['EVENT_LOG', 'LOCATIONS', 'CACHE', 'SQL', 'OBJECTS', 'SCHEMA_REGISTRY_URL'].map((name) => [name, '']),
);

describe('the package that npm pack makes', () => {
  let folder: string;
  let archive: string;
  let files: readonly string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-package-'));
    const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ filename, files: listed }] = JSON.parse(packed) as [
      { readonly filename: string; readonly files: readonly { readonly path: string }[] },
    ];
    archive = join(folder, filename);
    files = listed.map(({ path }) => path);
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  it('has what programs need, and neither sources, tests nor benchmarks', () => {
    for (const file of ['bin/meridian.js', 'dist/cli/main.js', 'dist/web/index.html', 'SECURITY.md'])
      expect(files).toContain(file);
    for (const file of ['map-data/malta/malta.osm.pbf', 'map-data/learned/arrival-prior.model'])
      expect(files).toContain(file);
    expect(files.filter((file) => file.endsWith('.proto')).length).toBeGreaterThan(5);
    expect(
      files.filter((file) => /\.(ts|tsx|map|tsbuildinfo)$|^(dist\/)?(tests|bench|tools)\//.test(file)),
    ).toEqual([]);
  });

  it('npx ./meridian-….tgz up is alive within 60 s in an empty folder, and ready', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    // Its build takes half a minute more, during which the program is alive and not ready.
    await layMap(join(empty, 'data'));
    const name = archive.slice(archive.lastIndexOf('/') + 1);
    await copyFile(archive, join(empty, name));
    const [port, internalPort] = [await freePort(), await freePort()];
    const ports = { PORT: String(port), INTERNAL_PORT: String(internalPort) };
    const pidFile = join(empty, 'pid');
    const startedMs = performance.now();
    const child = spawn('npx', ['--yes', `./${name}`, 'up', '--drivers', '0'], {
      cwd: empty,
      // npx installs anew for each folder; downloads come from npm's cache where it has them.
      env: { ...process.env, ...embedded, ...ports, PID_FILE: pidFile },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const answers = (path: string, deadlineMs: number) =>
      eventually(
        async () => {
          if (child.exitCode !== null) throw new Error(`npx ended with ${child.exitCode}: ${said}`);
          expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
        },
        { deadlineMs, everyMs: 200 },
      );
    try {
      await answers('/healthz', 180_000);
      const aliveMs = Math.round(performance.now() - startedMs);
      await answers('/readyz', 180_000);
      console.log(`alive after ${aliveMs} ms, ready after ${Math.round(performance.now() - startedMs)} ms`);
      expect(aliveMs).toBeLessThan(aliveWithinMs);
      expect((await fetch(`http://127.0.0.1:${port}/`)).headers.get('content-type')).toContain('text/html');
    } finally {
      await stop(child, pidFile);
    }
    expect(existsSync(join(empty, 'data', 'log'))).toBe(true);
  }, 400_000);
});

async function stop(child: ChildProcess, pidFile: string): Promise<void> {
  const ended = child.exitCode === null ? once(child, 'close') : Promise.resolve();
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  // npx forwards no signal to a grandchild.
  if (pid > 0) process.kill(pid, 'SIGTERM');
  else child.kill('SIGTERM');
  await ended;
}
