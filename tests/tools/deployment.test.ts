import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { judgeConnections } from '#cli/plain-connections.js';
import { readConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const text = (path: string): string => readFileSync(file(path), 'utf8');

describe('Containerfile', () => {
  const lines = text('Containerfile')
    .replaceAll(/\\\n\s*(?:#.*\n\s*)*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const all = (instruction: string) =>
    lines
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1));

  it('has known instructions, a pinned base, a user who is not root, and lists as commands', () => {
    const known = ['FROM', 'ARG', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE'];
    const word = (line: string) => line.trimStart().split(' ')[0]!;
    expect(
      lines.filter((line) => ![...known, 'ENTRYPOINT', 'CMD', 'HEALTHCHECK'].includes(word(line))),
    ).toEqual([]);
    for (const base of all('FROM'))
      expect(base).toMatch(/^docker\.io\/library\/node:20-bookworm-slim(?: AS build)?$/);
    expect(all('USER')).toEqual(['node']);
    expect(lines.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
      lines.findLastIndex((line) => line.startsWith('RUN')),
    );
    for (const command of [...all('ENTRYPOINT'), ...all('CMD')])
      expect(JSON.parse(command)).toEqual(expect.arrayContaining([expect.any(String)]));
  });

  it('starts a file of the package, and keeps the native servers of its machine only', async () => {
    const [, , entry] = JSON.parse(all('ENTRYPOINT')[0]!) as string[];
    const [, bin] = /exec node \/app\/node_modules\/meridian\/(\S+) "\$@"$/.exec(entry!)!;
    expect(existsSync(file(bin!))).toBe(true);
    const [, kept] = /! -name '([^']+)'/.exec(text('Containerfile'))!;
    const pattern = new RegExp(`^${kept!.replaceAll('.', '\\.').replaceAll('*', '\\w+')}$`);
    for (const name of ['uWebSockets.js', 'uws-modern']) {
      const natives = (await readdir(file(`node_modules/${name}`))).filter((each) => each.endsWith('.node'));
      const left = natives.filter((each) => pattern.test(each));
      expect(left).toEqual(expect.arrayContaining(['uws_linux_arm64_115.node', 'uws_linux_x64_115.node']));
      expect(left.length).toBeLessThan(4);
    }
  });
});

interface Service {
  readonly ports?: readonly string[];
  readonly healthcheck?: object;
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on: object;
  readonly stop_grace_period: string;
}

describe('compose.yaml', () => {
  const { services } = parse(text('compose.yaml')) as {
    readonly services: Readonly<Record<string, Service>>;
  };
  const { platform, ...servers } = services as { readonly platform: Service } & Record<string, Service>;
  // As Compose does with a variable that is set.
  const environment = Object.fromEntries(
    Object.entries(platform.environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{[^}]+\}/g, 'secret'),
    ]),
  );

  it('starts the platform with settings that it accepts, once all servers are healthy', () => {
    expect(readConfig(settings, environment)).toMatchObject({ ok: true });
    expect(Object.keys(platform.depends_on).toSorted()).toEqual(Object.keys(servers).toSorted());
    for (const { healthcheck } of Object.values(servers)) expect(healthcheck).toBeDefined();
    expect(Number.parseInt(platform.stop_grace_period, 10)).toBeGreaterThanOrEqual(
      Number(settings.DRAIN_MS.fallback) / 1_000 + 2,
    );
  });

  it('leads the platform to ports that the servers have', () => {
    const published = Object.values(servers).flatMap(({ ports = [] }) =>
      ports.map((port) => port.split(':')[1]),
    );
    const used = Object.values(environment).flatMap((value) => [...value.matchAll(/127\.0\.0\.1:(\d+)/g)]);
    expect(used.map(([, port]) => port).toSorted()).toEqual(published.toSorted());
  });
});

describe('in production, the settings of', () => {
  /** What a start would refuse or warn of. */
  const judged = (environment: Readonly<Record<string, string>>) => {
    const outcome = readConfig(settings, environment);
    if (!outcome.ok) throw new Error(outcome.faults.join('\n'));
    return judgeConnections(outcome.config, { listens: true, environment });
  };
  const inOrder = { fault: undefined, accepted: [] };
  const pairs = (line: string) =>
    Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]));

  it('Kubernetes have TLS on every link, and name no other', () => {
    const { data } = parse(text('deploy/kubernetes/config.yaml')) as { data: Record<string, string> };
    expect(data['NODE_ENV']).toBe('production');
    expect(judged(data)).toEqual(inOrder);
    const plain = { ...data, SCHEMA_REGISTRY_URL: 'http://schema-registry:8081' };
    expect(judged(plain).fault).toContain('SCHEMA_REGISTRY_URL (schema-registry)');
  });

  it('systemd start, since the listeners are on loopback', () => {
    const [, line] = /^Environment=(.*)$/m.exec(text('deploy/systemd/meridian.service'))!;
    expect(judged(pairs(line!))).toEqual(inOrder);
  });

  it('the image need what its comment says', () => {
    const [, line] = /^ENV (.*)$/m.exec(text('Containerfile'))!;
    const image = pairs(line!);
    expect(judged(image).fault).toMatch(/ HOST \(0\.0\.0\.0\)/);
    for (const more of [{ TLS_CERTIFICATE_FILE: '/c.pem' }, { TRUSTED_PROXIES: '10.0.0.0/8' }])
      expect(judged({ ...image, ...more })).toEqual(inOrder);
    expect(judged({ ...image, PLAIN_CONNECTIONS: 'HOST' }).fault).toBeUndefined();
  });
});

describe('deployment files', () => {
  it.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)('the systemd unit is valid', () => {
    const verified = spawnSync('systemd-analyze', ['verify', file('deploy/systemd/meridian.service')]);
    expect([verified.status, verified.stderr.toString()]).toEqual([0, '']);
  });

  it('the workflow of GitHub runs what decides here', () => {
    expect(text('.github/workflows/ci.yml')).toMatch(/run: sudo .*\.ci\/run$/m);
    expect(statSync(file('.ci/run')).mode & 0o100).toBe(0o100);
  });

  it('every installed package has a licence that was read', () => {
    expect(execFileSync(process.execPath, [file('tools/licences.js')], { encoding: 'utf8' })).toMatch(
      /^MIT: \d+$/m,
    );
  });
});
