import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import polyline from '@mapbox/polyline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layMap, meridian } from '../main-job/running-platform.js';

const folder = mkdtempSync(join(tmpdir(), 'meridian-route-'));
const env = { MERIDIAN_DATA: folder };
const [central, qormi, away] = ['35.9110,14.5020', '35.8780,14.4720', '36.20,15.20'] as const;

describe('meridian route', () => {
  beforeAll(async () => {
    const before = await meridian(['route', central, qormi], { MERIDIAN_DATA: join(folder, 'new') });
    expect([before.code, before.stdout]).toEqual([3, '']);
    expect(before.stderr).toContain('meridian tiles build');
    await layMap(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('prints the route in words, in the requested language', async () => {
    const { code, stdout, stderr } = await meridian(['route', central, qormi], env);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toMatch(/^\d+\.\d\d km, \d+ min/);
    expect(lines[1]).toMatch(/^ +\d+ m {2}Head /);
    expect(lines.at(-1)).toMatch(/^ +0 m {2}You have arrived/);
    const german = await meridian(['route', central, qormi, '--language', 'de'], env);
    expect(german.stdout).toContain('Sie haben Ihr Ziel erreicht');
  });

  it('prints the distance between the requested places and the ends of the route', async () => {
    // On a path at the waterfront that no road for cars leads to.
    const waterfront = '35.90670,14.51442';
    const { code, stdout } = await meridian(['route', central, waterfront], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\nYour route ends \d{3} m from your destination: no road for cars leads closer\.\n$/,
    );
    const json = await meridian(['route', waterfront, central, '--json'], env);
    const route = JSON.parse(json.stdout) as Record<string, unknown>;
    expect(route['destinationDistanceM']).toBeLessThan(100);
    const begins = Math.round(route['originDistanceM'] as number);
    expect(route['warnings']).toEqual([
      `Your route begins ${begins} m from your starting point: no road for cars begins closer.`,
    ]);
  });

  it('says that a part of the route is private where no public road leads there', async () => {
    // An island behind a gate.
    const { code, stdout } = await meridian(['route', central, '35.9020,14.5060'], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nNo public road leads there: a part of this route is private, .*\.\n$/);
  });

  it('M-042: needs no more memory than its limit, and finds the same route', async () => {
    const [small, large] = await Promise.all(
      ['24', '512'].map((memory) => meridian(['route', central, qormi, '--memory', memory, '--json'], env)),
    );
    expect([small!.code, small!.stderr]).toEqual([0, '']);
    expect(small!.stdout).toBe(large!.stdout);
  });

  it('prints JSON whose steps add up and whose line is the route', async () => {
    const { code, stdout } = await meridian(['route', central, qormi, '--mode', 'walking', '--json'], env);
    expect(code).toBe(0);
    const route = JSON.parse(stdout) as {
      lengthM: number;
      mode: string;
      polyline: string;
      steps: { distanceM: number; htmlInstruction: string }[];
    };
    expect(route.mode).toBe('walking');
    expect(route.steps.reduce((sum, { distanceM }) => sum + distanceM, 0)).toBeCloseTo(route.lengthM, 1);
    const [first] = polyline.decode(route.polyline);
    expect(Math.hypot(first![0] - 35.911, first![1] - 14.502)).toBeLessThan(0.005);
  });

  it.each([
    [['91,0', qormi], 2, 'lat,lng'],
    [[central, 'there'], 2, 'lat,lng'],
    [[central, qormi, '--mode', 'flying'], 2, 'driving'],
    [[central, qormi, '--avoid', 'rain'], 2, 'tolls'],
    [[central, qormi, '--memory', '0'], 2, 'above 0'],
    [[central, qormi, '--memory', '1'], 1, '--memory'],
    [[central, away], 3, 'no road within 1000 m of the destination'],
    [[away, central], 3, 'no road within 1000 m of the origin'],
  ])('%j exits with code %i and a sentence', async (args, code, hint) => {
    const answer = await meridian(['route', ...args], env);
    expect([answer.code, answer.stdout]).toEqual([code, '']);
    expect(answer.stderr).toContain(hint);
  });
});
