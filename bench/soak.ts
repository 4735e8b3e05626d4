import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTileset } from '#map-data/open-tileset.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { appendResult } from './append-result.js';
import { startDefaultPlatform } from './default-platform.js';
import { chart } from './routing/chart.js';
import { gatherCrowd } from './soak/crowd.js';
import { folderMb, type ProcessUse, processUse } from './soak/sample-processes.js';

/**
 * Does what `npm start` uses stay the same? The platform with its default settings and simulated drivers:
 * memory, descriptors, threads, lag and stored bytes, each quarter of a minute. Then a crowd of users opens
 * sockets, navigates, and leaves. Draws `docs/images/soak-….svg`.
 */
const minutes = Number(process.env['MINUTES'] ?? 60);
const drivers = Number(process.env['DRIVERS'] ?? 1_000);
const sockets = Number(process.env['SOCKETS'] ?? 9_000);
/** Minutes after the start whose memory that at the end is compared with. */
const settledMin = Number(process.env['SETTLED'] ?? 15);
const everyMs = 15_000;
const crowdStaysMs = 60_000;
/** Ended navigations are kept for five minutes, and the next sweep and collection follow. */
const afterwardsMs = 480_000;

interface Sample extends ProcessUse {
  readonly minute: number;
  /** Records that consumer groups have not processed yet, all together. */
  readonly lag: number;
  /** Megabytes of each folder of the data. */
  readonly stored: Readonly<Record<string, number>>;
}

const platform = await startDefaultPlatform(drivers);
const { folder, publicUrl, internalUrl } = platform;
const samples: Sample[] = [];
try {
  const startedMs = Date.now();
  const take = async (): Promise<void> => {
    const sample = await sampleOf((Date.now() - startedMs) / 60_000);
    samples.push(sample);
    console.error(
      `minute ${sample.minute.toFixed(1)} of ${minutes}: ${Math.round(sample.residentMib)} MiB, ` +
        `${sample.descriptors} descriptors, lag ${sample.lag}`,
    );
  };
  const takeFor = async (ms: number): Promise<void> => {
    for (const untilMs = Date.now() + ms; Date.now() < untilMs; ) {
      await new Promise((wake) => setTimeout(wake, everyMs));
      await take();
    }
  };
  await takeFor(minutes * 60_000);
  const calm = samples.at(-1)!;
  let crowd: { readonly guided: number; leave(): void } | undefined;
  if (sockets > 0) {
    crowd = await gatherCrowd(publicUrl, await roads(), sockets);
    await takeFor(crowdStaysMs);
  }
  const full = samples.at(-1)!;
  crowd?.leave();
  if (crowd !== undefined) await takeFor(afterwardsMs);
  report(calm, full, crowd?.guided ?? 0);
} finally {
  await platform.stop();
}

async function sampleOf(minute: number): Promise<Sample> {
  const metrics = await (await fetch(`${internalUrl}/metrics`)).text();
  const lag = [...metrics.matchAll(/^consumer_lag\{.*\} (\S+)$/gm)];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  return {
    minute,
    ...processUse(platform.pid),
    lag: lag.reduce((sum, [, records]) => sum + Number(records), 0),
    stored: Object.fromEntries(folders.map(({ name }) => [name, folderMb(join(folder, name))])),
  };
}

async function roads() {
  const objects = await DirectoryObjectStore.open(join(folder, 'objects'));
  try {
    return await openTileset(objects);
  } finally {
    await objects.close();
  }
}

function report(calm: Sample, full: Sample, guided: number): void {
  const settledMax = Math.min(settledMin, calm.minute);
  const settled = samples.findLast(({ minute }) => minute <= settledMax) ?? calm;
  const last = samples.at(-1)!;
  draw();
  const figures = {
    ...{ minutes, drivers, sockets, guided },
    resident: growth(settled.residentMib, calm.residentMib),
    // Without mapped files, whose pages the kernel drops when it needs memory.
    anonymous: growth(settled.residentMib - settled.mappedMib, calm.residentMib - calm.mappedMib),
    crowd: {
      before: withoutFiles(calm),
      full: withoutFiles(full),
      afterwards: withoutFiles(last),
    },
    childrenMib: Math.round(calm.childrenMib),
    descriptors: { settled: settled.descriptors, end: calm.descriptors, full: full.descriptors },
    threads: { settled: settled.threads, end: calm.threads },
    lagMax: Math.max(...samples.map(({ lag }) => lag)),
    storedMb: calm.stored,
    cores: Number(((calm.cpuS - samples[0]!.cpuS) / (60 * (calm.minute - samples[0]!.minute))).toFixed(2)),
  };
  console.log(JSON.stringify(figures, undefined, 2));
  if (process.env['APPEND'] !== '0') appendResult('soak', figures);
}

function withoutFiles({ residentMib, mappedMib }: Sample) {
  return { residentMib: Math.round(residentMib), anonymousMib: Math.round(residentMib - mappedMib) };
}

function growth(settled: number, end: number) {
  const endOverSettled = Number((end / settled).toFixed(3));
  return { settledMib: Math.round(settled), endMib: Math.round(end), endOverSettled };
}

function draw(): void {
  const images = 'docs/images';
  mkdirSync(images, { recursive: true });
  const stores = [...new Set(samples.flatMap(({ stored }) => Object.keys(stored)))];
  const line = (name: string, of: (sample: Sample) => number) => ({
    name,
    points: samples.map((sample) => ({ x: sample.minute, y: of(sample) })),
  });
  const write = (name: string, title: string, yTitle: string, series: ReturnType<typeof line>[]): void =>
    writeFileSync(
      join(images, `soak-${name}.svg`),
      chart({ title, xTitle: 'minutes', yTitle, series, lines: true, axes: 'linear' }),
    );
  write('memory', `Resident memory, ${drivers} drivers`, 'MiB', [
    line('meridian', ({ residentMib }) => residentMib),
    line('mapped files of it', ({ mappedMib }) => mappedMib),
    line('PostgreSQL', ({ childrenMib }) => childrenMib),
  ]);
  write('descriptors', 'Descriptors and threads', 'open', [
    line('descriptors', ({ descriptors }) => descriptors),
    line('threads', ({ threads }) => threads),
  ]);
  write('lag', 'Records that wait for a consumer group', 'records', [line('lag', ({ lag }) => lag)]);
  write(
    'stored',
    'Stored bytes, allocated',
    'MB',
    stores.map((name) => line(name, ({ stored }) => stored[name] ?? 0)),
  );
}
