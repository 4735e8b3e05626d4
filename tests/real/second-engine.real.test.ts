import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import { proves } from '#tools/acceptance/proves.js';
import { required } from '../contracts/required-variable.js';
import { type RunningProgram, startPlatform, startProgram } from '../main-job/running-platform.js';

const folders: string[] = [];
const running: RunningProgram[] = [];
const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-engine-'));
  folders.push(folder);
  return folder;
};
let first: RunningProgram;
beforeAll(async () => {
  required('OBJECTS', 's3://');
  first = await startPlatform(await emptyFolder(), ['--drivers', '0']);
  running.push(first);
}, 300_000);
afterAll(async () => {
  await Promise.all(running.map((program) => program.stop()));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Of the default map. */
const random = seeded(42);
const place = () => `${(35.86 + random() * 0.06).toFixed(5)},${(14.44 + random() * 0.07).toFixed(5)}`;
const trips = Array.from({ length: 20 }, () => ({
  origin: place(),
  destination: place(),
  alternatives: 'true',
}));

/** All that an engine says, but for times, which follow the traffic of the moment. */
async function answersOf(engine: RunningProgram) {
  const answers = [];
  for (const trip of trips) {
    const response = await fetch(`${engine.url}/v1/nav?${new URLSearchParams(trip)}`);
    expect(response.status).toBe(200);
    const { status, tileset_id, routes } = (await response.json()) as NavAnswer;
    const lines = routes.map(({ overview_polyline, legs }) => [
      overview_polyline.points,
      ...legs.map(({ distance, duration_free_flow, steps }) => ({
        ...{ distance, duration_free_flow },
        steps: steps.map(({ duration: _, ...step }) => step),
      })),
    ]);
    answers.push({ status, tileset_id, lines });
  }
  return answers;
}

async function copyObjects(from: string, to: string): Promise<void> {
  const credentials = {
    accessKeyId: required('AWS_ACCESS_KEY_ID'),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
  };
  const [source, copy] = await Promise.all([openObjectStore(from, { credentials }), openObjectStore(to)]);
  for await (const key of source.list('')) await copy.put(key, (await source.get(key))!);
  await Promise.all([source.close(), copy.close()]);
}

proves('M-042', {
  asked: 'binary, in the object store (S3 and directory), cached; an empty cache serves the same',
  shown:
    'from S3 and from a directory, each with an empty folder: 20 trips equal but for durations in traffic',
  settings: ['no simulated drivers'],
});
test('M-042: an engine with an empty folder answers the same from S3, and one from a directory', {
  timeout: 300_000,
}, async () => {
  const expected = await answersOf(first);
  expect(expected.filter(({ lines }) => lines.length > 0).length).toBeGreaterThan(15);
  const data = await emptyFolder();
  expect(await readdir(data)).toEqual([]);
  const second = await startProgram('api', { data });
  running.push(second);
  expect(await answersOf(second)).toEqual(expected);

  const local = { EVENT_LOG: '', SCHEMA_REGISTRY_URL: '', LOCATIONS: '', CACHE: '', OBJECTS: '', SQL: '' };
  const built = await emptyFolder();
  const onDirectory = await startPlatform(built, ['--drivers', '0'], local);
  running.push(onDirectory);
  expect(await answersOf(onDirectory)).toEqual(expected);

  // Another one that has the objects in a directory alone, and everything else from servers. They are copied
  // when no leader runs: the log must not announce a metric that the copy lacks.
  await Promise.all([first.stop(), onDirectory.stop()]);
  const objects = join(await emptyFolder(), 'objects');
  await copyObjects(process.env['OBJECTS']!, `dir:${objects}`);
  const fromDirectory = await startProgram('api', {
    data: await emptyFolder(),
    env: { OBJECTS: `dir:${objects}` },
  });
  running.push(fromDirectory);
  expect(await answersOf(fromDirectory)).toEqual(expected);
  // It holds all road tiles, and reads none while it answers.
  await rm(join(objects, 'tilesets/tiles'), { recursive: true });
  expect(await answersOf(fromDirectory)).toEqual(expected);
});
