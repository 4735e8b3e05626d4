import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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
    const [, entry] = JSON.parse(all('ENTRYPOINT')[0]!) as string[];
    const bin = entry!.replace('/app/node_modules/meridian/', '');
    expect(existsSync(file(bin))).toBe(true);
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
