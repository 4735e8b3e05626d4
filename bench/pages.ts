import type { Browser, CDPSession, Page } from 'playwright-core';
import { findChromium, howToInstall, launch } from '#tools/browser.js';
import { appendResult, spread } from './append-result.js';
import { type DefaultPlatform, startDefaultPlatform } from './default-platform.js';
import { Missing } from './missing.js';
import { categories, mainThreadOf, scriptMs, scriptMsByFrame } from './pages/trace.js';
import { percentile } from './routing/statistics.js';

/**
 * What does the map page cost a phone? On a main thread slowed by four, with an empty cache: bytes and
 * scripts until the map is drawn, and when; then the script time of each frame while drivers move. Pixels
 * are rendered by the CPU here, outside of the page's main thread, and delay its times.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 15);
const drivers = Number(process.env['DRIVERS'] ?? 1_000);
const slowed = 4;

const found = findChromium(process.env);
if (found === undefined) throw new Missing(`This is measured in Chromium: ${howToInstall}`);
const browser = await launch(found);

const loads = await onPlatform(undefined, async ({ publicUrl }) => {
  const measured: Load[] = [];
  // The first one warms up the server.
  for (let round = -1; round < rounds; round++) {
    const load = await measureLoad(browser, publicUrl);
    if (round >= 0) measured.push(load);
    console.error(`load ${round + 1} of ${rounds}: ${JSON.stringify(load)}`);
  }
  return measured;
});
const frames = await onPlatform(drivers, async ({ publicUrl }) => {
  const measured: Frames[] = [];
  for (let round = 0; round < rounds; round++) {
    measured.push(await measureFrames(browser, publicUrl));
    console.error(`frames ${round + 1} of ${rounds}: ${JSON.stringify(measured.at(-1))}`);
  }
  return measured;
});
await browser.close();

const over = <Row extends object>(rows: readonly Row[]) =>
  Object.fromEntries(
    (Object.keys(rows[0]!) as (keyof Row & string)[]).map((name) => [
      name,
      spread(rows.map((row) => Number(row[name]))),
    ]),
  );
const figures = { slowed, rounds, load: over(loads), drivers, seconds, frames: over(frames) };
console.log(JSON.stringify(figures, undefined, 2));
if (process.env['APPEND'] !== '0') appendResult('pages', figures);

async function onPlatform<Result>(
  count: number | undefined,
  use: (platform: DefaultPlatform) => Promise<Result>,
): Promise<Result> {
  const platform = await startDefaultPlatform(count);
  try {
    return await use(platform);
  } finally {
    await platform.stop();
  }
}

interface Load {
  /** As transferred, with headers, until the streets are drawn. */
  readonly kB: number;
  /** Parsing, compiling and running on the main thread until then. */
  readonly scriptMs: number;
  /** From the navigation until the map renders its first frame. */
  readonly firstFrameMs: number;
  /** Until its streets are drawn. */
  readonly streetsMs: number;
}

/** What the page leaves on `globalThis`: the part of the map that tells when it has rendered. */
interface WithMap {
  readonly meridian?: {
    readonly map: {
      once(event: 'render', done: () => void): void;
      triggerRepaint(): void;
      isSourceLoaded(source: string): boolean;
    };
  };
}

async function openSlowed(chromium: Browser): Promise<Page> {
  const page = await chromium.newPage({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 1,
    serviceWorkers: 'block',
  });
  page.setDefaultTimeout(120_000);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  return page;
}

async function measureLoad(chromium: Browser, url: string): Promise<Load> {
  const page = await openSlowed(chromium);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await chromium.startTracing(page, { categories });
  await page.goto(url, { waitUntil: 'commit' });
  const firstFrameMs = await drawnOnce(session, () => (globalThis as WithMap).meridian?.map !== undefined);
  const streetsMs = await drawnOnce(session, () =>
    (globalThis as WithMap).meridian!.map.isSourceLoaded('base'),
  );
  const kB = bytes / 1_000;
  const { scripts } = mainThreadOf(await chromium.stopTracing());
  await page.close();
  return {
    kB,
    scriptMs: scriptMs(scripts, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    firstFrameMs,
    streetsMs,
  };
}

/**
 * Milliseconds from the navigation until the frame of the map that follows `ready`, which is run in the page
 * as it is: what Playwright adds to a page in order to wait would count as scripts of the page.
 */
async function drawnOnce(session: CDPSession, ready: () => boolean): Promise<number> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `(${drawn.toString()})(${ready.toString()})`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result.value as number;
}

/** Runs in the page. */
function drawn(ready: () => boolean): Promise<number> {
  return new Promise((done) => {
    const look = () => {
      if (!ready()) return setTimeout(look, 20);
      const { map } = (globalThis as WithMap).meridian!;
      map.once('render', () => done(performance.now()));
      return map.triggerRepaint();
    };
    look();
  });
}

interface Frames {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

async function measureFrames(chromium: Browser, url: string): Promise<Frames> {
  const page = await openSlowed(chromium);
  await page.goto(url);
  await page.waitForSelector('.map[data-ready="true"]');
  await page.waitForFunction(() => (globalThis as WithMap).meridian!.map.isSourceLoaded('base'));
  // The stream of locations has come, and what is compiled on first use is compiled.
  await new Promise((wake) => setTimeout(wake, 5_000));
  await chromium.startTracing(page, { categories });
  await new Promise((wake) => setTimeout(wake, 1_000 * seconds));
  const byFrame = scriptMsByFrame(mainThreadOf(await chromium.stopTracing()));
  await page.close();
  return {
    perSecond: byFrame.length / seconds,
    p50Ms: percentile(byFrame, 0.5),
    p95Ms: percentile(byFrame, 0.95),
    p99Ms: percentile(byFrame, 0.99),
  };
}
