import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import { eventually } from '../eventually.js';
import { meridian, type RunningProgram, spawnProgram, startProgram } from '../main-job/running-platform.js';
import { encodePbf, type Fixture } from '../tile-builder/osm-fixture.js';
import {
  datex2Feed,
  gmlLine,
  type SampleZone,
  situation,
  workZone,
  wzdxFeed,
} from '../traffic-exchange/sample-feeds.js';
import { unlimited } from './drivers-of.js';

/**
 * ```text
 *       7   8
 *       |   |
 *   1---2---3---4   Main Street, the fast way from 1 to 4
 *   |           |
 *   5-----------6   Back Street
 * ```
 */
const places = {
  1: [12, 58.003],
  2: [12.006, 58.003],
  3: [12.012, 58.003],
  4: [12.018, 58.003],
  5: [12, 58],
  6: [12.018, 58],
  7: [12.006, 58.004],
  8: [12.012, 58.004],
  9: [12.009, 58.003],
} as const;
type Node = keyof typeof places;
const street = (id: number, name: string, refs: readonly Node[], maxspeed: string) => ({
  id,
  refs,
  tags: { highway: 'residential', name, maxspeed },
});
const town: Fixture = {
  nodes: Object.entries(places).map(([id, [lng, lat]]) => ({ id: Number(id), lng, lat })),
  ways: [
    street(100, 'Main Street', [1, 2, 9, 3, 4], '50'),
    street(101, 'West Street', [1, 5], '30'),
    street(102, 'Back Street', [5, 6], '30'),
    street(103, 'East Street', [6, 4], '30'),
    street(104, 'Second Street', [2, 7], '30'),
    street(105, 'Third Street', [3, 8], '30'),
  ],
};
const main = '100:2-3+';
const line = [places[2], places[3]];
const hours = (ahead: number): string => new Date(Date.now() + ahead * 3_600_000).toISOString();
const works: SampleZone = { id: 'works', line, start: hours(-1), end: hours(24) };

interface Imported {
  readonly active: number;
  readonly planned: number;
  readonly skipped: number;
  readonly written: number;
  readonly removed: number;
  readonly unchanged: number;
}

interface Platform {
  readonly data: string;
  readonly processors: RunningProgram;
  readonly api: RunningProgram;
}

let folder: string;
let here: Platform;
let there: Platform;
const started: RunningProgram[] = [];

async function startTown(name: string): Promise<Platform> {
  const data = join(folder, name);
  const file = join(folder, 'town.osm.pbf');
  const options = ['--no-map', '--json'];
  const { code, stderr } = await meridian(['tiles', 'build', file, ...options], { MERIDIAN_DATA: data });
  expect(code, stderr).toBe(0);
  const processors = await startProgram('processors', { data, args: ['customization'] });
  started.push(processors);
  const api = await startProgram('api', { data, env: unlimited });
  started.push(api);
  return { data, processors, api };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-exchange-'));
  await writeFile(join(folder, 'town.osm.pbf'), encodePbf(town));
  here = await startTown('here');
  there = await startTown('there');
}, 240_000);
afterAll(async () => {
  await Promise.all(started.map((program) => program.stop()));
  await rm(folder, { recursive: true, force: true });
});

const incidentsOf = async ({ api }: Platform): Promise<Incident[]> =>
  ((await (await fetch(`${api.url}/v1/incidents`)).json()) as { incidents: Incident[] }).incidents;

async function importInto(platform: Platform, source: string, ...options: string[]) {
  return meridian(
    ['traffic', 'import', source, '--name', 'city', '--url', platform.api.url, '--json', ...options],
    { MERIDIAN_DATA: platform.data },
  );
}

async function imported(platform: Platform, source: string, ...options: string[]): Promise<Imported> {
  const { code, stdout, stderr } = await importInto(platform, source, ...options);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Imported;
}

async function feedFile(text: string): Promise<string> {
  const file = join(folder, 'feed');
  await writeFile(file, text);
  return file;
}

/** The streets of the way from 1 to 4. */
async function streets({ api }: Platform): Promise<string> {
  const [from, to] = [places[1], places[4]].map(([lng, lat]) => `${lat},${lng}`);
  const answer = await fetch(`${api.url}/v1/nav?origin=${from}&destination=${to}`);
  const { routes } = (await answer.json()) as NavAnswer;
  return JSON.stringify(routes[0]!.legs[0]!.steps);
}
const drives = (platform: Platform, street: string) =>
  eventually(async () => expect(await streets(platform)).toContain(street), { everyMs: 100 });

describe('traffic import', () => {
  it('closes the road of a WZDx feed, changes nothing when repeated, and opens it again', async () => {
    await drives(here, 'Main Street');
    const zones = [
      works,
      { id: 'later', line, start: hours(1), end: hours(2) },
      { id: 'lane', impact: 'some-lanes-closed', line, start: hours(-1), end: hours(1) },
      {
        id: 'sea',
        line: [
          [0, 0],
          [0.01, 0],
        ],
        start: hours(-1),
        end: hours(1),
      },
    ];
    const source = await feedFile(wzdxFeed(zones.map(workZone)));
    expect(await imported(here, source, '--format', 'wzdx', '--dry-run')).toMatchObject({ written: 1 });
    expect(await incidentsOf(here)).toEqual([]);

    const counts = { active: 1, planned: 1, skipped: 2 };
    expect(await imported(here, source, '--format', 'wzdx')).toMatchObject({
      ...counts,
      written: 1,
      removed: 0,
    });
    const incidents = await incidentsOf(here);
    expect(incidents).toMatchObject([{ kind: 'closed', edge_ids: [main], road: 'Main Street' }]);
    await drives(here, 'Back Street');

    expect(await imported(here, source, '--format', 'wzdx')).toMatchObject({
      ...counts,
      written: 0,
      unchanged: 1,
    });
    expect(await incidentsOf(here)).toEqual(incidents);

    const without = await feedFile(wzdxFeed([]));
    expect(await imported(here, without, '--format', 'wzdx')).toMatchObject({ active: 0, removed: 1 });
    expect(await incidentsOf(here)).toEqual([]);
    await eventually(async () => expect(await streets(here)).not.toContain('Back Street'), { everyMs: 100 });
  });

  it.each([
    ['wzdx', 'feed.wzdx.json'],
    ['datex2', 'feed.datex2.xml'],
  ])('a feed of one platform closes the same edges on another one, as %s', async (format, file) => {
    const token = await here.api.token('op', 'operator');
    const answer = await fetch(`${here.api.url}/v1/incidents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'closed', edge_id: main, expires_in_s: 3_600 }),
    });
    const { incident_id: id, edge_ids } = (await answer.json()) as Incident;
    expect(edge_ids).toHaveLength(2);
    // It has what its operators wrote, not what it imported itself.
    await imported(
      here,
      await feedFile(wzdxFeed([workZone({ ...works, line: line.toReversed() })])),
      '--format',
      'wzdx',
    );
    await eventually(async () => {
      await imported(there, `${here.api.url}/v1/traffic/${file}`, '--format', format);
      expect(await incidentsOf(there)).toHaveLength(2);
    });
    const found = (await incidentsOf(there)).flatMap((incident) => incident.edge_ids);
    expect(found.toSorted()).toEqual([...edge_ids].toSorted());
    await drives(there, 'Back Street');

    await fetch(`${here.api.url}/v1/incidents/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    await eventually(async () => {
      await imported(there, `${here.api.url}/v1/traffic/${file}`, '--format', format);
      expect(await incidentsOf(there)).toEqual([]);
    });
    await imported(here, await feedFile(wzdxFeed([])), '--format', 'wzdx');
  });

  it('closes and slows the roads of a file of speeds between nodes, and opens them again', async () => {
    const source = await feedFile('2,9,0,0\n9,3,20\n1,5,10\n98,99,0\n');
    const counts = { active: 2, skipped: 1 };
    expect(await imported(here, source, '--format', 'osrm-speeds')).toMatchObject({ ...counts, written: 2 });
    const incidents = await incidentsOf(here);
    expect(incidents.map(({ kind, edge_ids: ids, speed_kph: kph }) => [kind, ids, kph])).toEqual(
      expect.arrayContaining([
        ['closed', [main], undefined],
        ['slow', ['101:1-5+'], 10],
      ]),
    );
    await drives(here, 'Back Street');
    expect(await imported(here, source, '--format', 'osrm-speeds')).toMatchObject({
      ...counts,
      written: 0,
      unchanged: 2,
    });
    expect(await imported(here, await feedFile(''), '--format', 'osrm-speeds')).toMatchObject({ removed: 2 });
    expect(await incidentsOf(here)).toEqual([]);
    await eventually(async () => expect(await streets(here)).not.toContain('Back Street'), { everyMs: 100 });
    const done = await importInto(here, await feedFile('1,2,-3'), '--format', 'osrm-speeds');
    expect(done.code).not.toBe(0);
    expect(done.stderr).toContain('Line 1 is not from,to,speed');
  });

  it('says in one sentence what is wrong, and changes nothing', async () => {
    await imported(here, await feedFile(wzdxFeed([workZone(works)])), '--format', 'wzdx');
    const before = await incidentsOf(here);
    expect(before).toHaveLength(1);
    const broken = await feedFile(wzdxFeed([workZone(works)]).slice(0, -30));
    for (const [args, code, said] of [
      [[broken, '--format', 'wzdx'], 1, /^The feed is refused. It is not JSON.\n$/],
      [[broken, '--format', 'datex2'], 1, /^The feed is refused. It is not XML/],
      [[join(folder, 'none'), '--format', 'wzdx'], 2, /is not a file/],
      [['http://127.0.0.1:9/', '--format', 'wzdx'], 1, /^http:\/\/127.0.0.1:9\/ cannot be read/],
      [[broken, '--format', 'csv'], 2, /format/],
    ] as const) {
      const done = await importInto(here, ...(args as readonly [string, ...string[]]));
      expect(done.stderr).toMatch(said);
      expect([done.code, done.stdout]).toEqual([code, '']);
    }
    expect(await incidentsOf(here)).toEqual(before);
    await imported(here, await feedFile(wzdxFeed([])), '--format', 'wzdx');
  });
});

describe('traffic import --follow', () => {
  let server: Server;
  let text: string;
  let follower: RunningProgram;
  beforeAll(async () => {
    text = datex2Feed('');
    server = createServer((_request, answer) => answer.end(text)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}/feed.xml`;
    const options = ['--format', 'datex2', '--name', 'road', '--follow', '1', '--json'];
    follower = await spawnProgram('traffic', {
      data: here.data,
      args: ['import', url, ...options, '--url', here.api.url],
    });
    started.push(follower);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const record = (startMs: number, endMs: number): string =>
    datex2Feed(
      situation({
        location: gmlLine(line.map(([lng, lat]) => `${lat} ${lng}`).join(' ')),
        validity:
          '<com:validityStatus>definedByValidityTimeSpec</com:validityStatus>' +
          '<com:validityTimeSpecification>' +
          `<com:overallStartTime>${new Date(startMs).toISOString()}</com:overallStartTime>` +
          `<com:overallEndTime>${new Date(endMs).toISOString()}</com:overallEndTime>` +
          '</com:validityTimeSpecification>',
      }),
    );

  it('begins a planned closure on time, keeps it through a broken feed, ends with exit code 0', async () => {
    const startMs = Date.now() + 10_000;
    text = record(startMs, startMs + 3_600_000);
    await eventually(() => expect(follower.output()).toContain('"planned":1'));
    expect(await incidentsOf(here)).toEqual([]);
    const [incident] = await eventually(async () => {
      const incidents = await incidentsOf(here);
      expect(incidents).toHaveLength(1);
      return incidents;
    });
    expect(Date.parse(incident!.started_at)).toBeGreaterThanOrEqual(startMs);
    expect(incident).toMatchObject({ edge_ids: [main], evidence: 'Nya rör & kablar' });

    text = text.slice(0, -40);
    await eventually(() => expect(follower.output()).toContain('The last readable feed stays in force.'));
    expect(await incidentsOf(here)).toEqual([incident]);

    text = datex2Feed('');
    await eventually(async () => expect(await incidentsOf(here)).toEqual([]));
    expect(await follower.stop()).toBe(0);
  });
});
