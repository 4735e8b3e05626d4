import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { meridian } from '../main-job/running-platform.js';
import { soonMs } from '../programs/soon.js';

const folder = mkdtempSync(join(tmpdir(), 'meridian-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { MERIDIAN_DATA: folder };

describe('meridian', () => {
  it('offers help for every command', async () => {
    const { stdout, code } = await meridian(['--help']);
    expect(code).toBe(0);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'help');
    expect(commands).toEqual(
      expect.arrayContaining(['up', 'ingest', 'processors', 'api', 'tiles', 'route', 'token', 'events']),
    );
    const helps = await Promise.all(commands.map((name) => meridian([name, '--help'])));
    for (const help of helps) {
      expect(help.code).toBe(0);
      expect(help.stdout).toContain('Usage: meridian');
    }
  });

  it('prints the version of the package', async () => {
    const packageFile = fileURLToPath(new URL('../../package.json', import.meta.url));
    const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
    for (const flag of ['--version', '-v', '-V']) {
      const { code, stdout, stderr } = await meridian([flag]);
      expect([code, stdout, stderr], flag).toEqual([0, `${version}\n`, '']);
    }
  });

  it.each([
    [['upp'], 'up'],
    [['up', '--drivers', 'many'], 'whole number'],
    [['events', 'tail'], 'topic'],
    [['token', '--sub', 'x', '--scope', 'king'], 'driver'],
    [['route', 'here', 'there'], 'lat,lng'],
    [['up', '--osm', 'map.txt'], '.osm.pbf'],
    [['tiles', 'build', '/'], '/ is a folder; give the path of an .osm.pbf extract'],
    [['tiles', 'build', '--workers', '0'], 'whole number above 0'],
    [['tiles', 'build', '--workers', 'all'], 'whole number'],
    [['tiles', 'build', '--workers', '65'], 'at most 64 threads'],
    [['tiles', 'follow', '/no.osm.pbf', '--changes', '/'], 'no.osm.pbf does not exist'],
    [['tiles', 'follow', 'a.osm.pbf', '--changes', '/', '--interval', '86401'], 'at most 86400 seconds'],
    [['tiles', 'inspect', '../current'], '16 hexadecimal digits'],
  ])('rejects %j with exit code 2 and a hint', async (args, hint) => {
    const { code, stderr } = await meridian(args, { ...env, PORT: '0', INTERNAL_PORT: '0' });
    expect(stderr).toContain(hint);
    expect(code).toBe(2);
  });

  it('exits with code 3 for a topic that does not exist', async () => {
    const { code, stderr } = await meridian(['events', 'tail', 'no.such.topic'], env);
    expect([code, stderr.trim()]).toEqual([3, expect.stringContaining('no.such.topic')]);
  });

  it('token warns on stderr if it had to create the issuer, and names the folder', async () => {
    const data = join(folder, 'elsewhere');
    const args = ['token', '--sub', 'x', '--scope', 'driver'];
    const [first, second] = [
      await meridian(args, { MERIDIAN_DATA: data }),
      await meridian(args, { MERIDIAN_DATA: data }),
    ];
    expect(first.stderr).toContain(`warning: created a development issuer in ${data}`);
    expect(second.stderr).toBe('');
    for (const { stdout, code } of [first, second])
      expect([stdout.trim(), code]).toEqual([expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), 0]);
  });

  it('F41: rejects an unknown or wrong setting in 5 s, one sentence each, and starts nothing', async () => {
    const withinMs = await soonMs();
    const startedMs = performance.now();
    const { code, stderr } = await meridian(['ingest'], { ...env, EVENT_LGO: 'kafka://x', PORT: '99999' });
    expect(performance.now() - startedMs).toBeLessThan(withinMs);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean EVENT_LOG?');
    expect(stderr).toMatch(/PORT must be <= 65535/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('F41: Kafka without a schema registry is reported with a plain reason', async () => {
    const { code, stderr } = await meridian(['ingest'], { ...env, EVENT_LOG: 'kafka://127.0.0.1:1' });
    expect([code, stderr.trim()]).toEqual([2, expect.stringContaining('SCHEMA_REGISTRY_URL')]);
  });

  it('C1: the development issuer does not start in production', async () => {
    const { code, stderr } = await meridian(['token', '--sub', 'x', '--scope', 'driver'], {
      ...env,
      NODE_ENV: 'production',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('JWKS_URL');
  });

  it('names a port that is in use, and exits with code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await meridian(['ingest'], { ...env, PORT: String(port), INTERNAL_PORT: '0' });
    other.close();
    expect(stderr).toContain(`127.0.0.1:${port}`);
    expect(code).toBe(1);
  });

  it('prints no secret in its list of settings', async () => {
    const { stdout } = await meridian(['config'], { ...env, AWS_SECRET_ACCESS_KEY: 'hunter2hunter2' });
    expect(stdout).toContain('AWS_SECRET_ACCESS_KEY');
    expect(stdout).not.toContain('hunter2');
  });

  it('rejects a truncated extract with one clear sentence and leaves nothing behind', async () => {
    const extract = join(folder, 'cut.osm.pbf');
    writeFileSync(extract, Buffer.from('0000000d0a094f534d48656164657218', 'hex'));
    const { code, stderr } = await meridian(['tiles', 'build', extract], env);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('cut.osm.pbf');
    expect((await meridian(['tiles', 'inspect'], env)).code).toBe(3);
    const pruned = await meridian(['tiles', 'prune'], env);
    expect([pruned.code, pruned.stdout]).toEqual([0, expect.stringContaining('no current release')]);
  });

  it('names what prevents a prune', async () => {
    const builds = join(folder, 'objects', 'prune', 'builds');
    mkdirSync(builds, { recursive: true });
    writeFileSync(join(builds, 'dead'), '4102444800000');
    const { code, stdout, stderr } = await meridian(['tiles', 'prune', '--json'], env);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      'prune/builds/dead is valid until 2100-01-01T00:00:00.000Z. Nothing was deleted',
    );
    rmSync(builds, { recursive: true });
  });
});
