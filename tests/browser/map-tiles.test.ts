import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { worldX, worldY } from '#web/geometry/mercator.js';
import { chromium, howToInstall, skipped, why } from './chromium.js';
import { launch, mapIsDrawn, openPage, type PageGlobal, stateOf } from './open-page.js';
import { picture } from './picture.js';
import { type RunningPlatform, startPlatform } from './running-platform.js';

/** The bytes that a first visit may load, compressed; the specification requires low data use. */
const firstLoadBytesMax = 1_500_000;

describe.skipIf(skipped)(`the map of the live page${why}`, { timeout: 240_000 }, () => {
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  const tiles = new Set<string>();
  let bytes = 0;
  let onSocket = 0;
  let unversioned = 0;
  /** Each request for a tile, in order. */
  const asked: string[] = [];

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    platform = await startPlatform();
    browser = await launch(chromium);
    ({ page } = await openPage(browser, platform.url, {
      width: 1000,
      height: 700,
      prepare: async (opened) => {
        const session = await opened.context().newCDPSession(opened);
        await session.send('Network.enable');
        session.on('Network.loadingFinished', ({ encodedDataLength }) => {
          bytes += encodedDataLength;
        });
        // Without the two to eight bytes before each message.
        for (const event of ['Network.webSocketFrameSent', 'Network.webSocketFrameReceived'] as const)
          session.on(event, ({ response }) => {
            onSocket += response.payloadData.length;
          });
        opened.on('request', (request) => {
          const tile = /\/v1\/tiles\/([0-9a-f]{16}\/)?(\d+\/\d+\/\d+)\.mvt$/.exec(
            new URL(request.url()).pathname,
          );
          if (tile === null) return;
          tiles.add(tile[2]!);
          asked.push(tile[2]!);
          if (tile[1] === undefined) unversioned++;
        });
      },
    }));
    await mapIsDrawn(page);
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  const jump = async (center: readonly [number, number], zoom: number): Promise<string[]> => {
    const before = new Set(tiles);
    await page.evaluate(
      ([to, level]) => (globalThis as unknown as PageGlobal).meridian.map.jumpTo({ center: to, zoom: level }),
      [center, zoom] as const,
    );
    await mapIsDrawn(page);
    return [...tiles].filter((tile) => !before.has(tile));
  };
  const zoomsOf = (some: readonly string[]): number[] => [
    ...new Set(some.map((tile) => Number(tile.split('/')[0]))),
  ];

  it('loads no more than 1.5 MB on the first visit, including the map', () => {
    expect(tiles.size).toBeGreaterThan(0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(firstLoadBytesMax);
  });

  proves('M-106', {
    asked: 'the client fetches new tiles on zoom and on crossing into a new tile',
    shown: "by a browser's requests: on zoom those of the zoom, on crossing others, none while it stays",
    control: {
      in: 'web/map/base-map.ts',
      change: 'maxzoom: tileJson.maxzoom ?? 14',
      to: 'maxzoom: Math.min(14, tileJson.maxzoom ?? 14)',
    },
  });
  it('M-106: fetches new tiles on zoom and when entering a tile, and none within a tile', async () => {
    const middle = await page.evaluate(() => {
      const { lng, lat } = (globalThis as unknown as PageGlobal).meridian.app.get().status!.tileset.middle;
      return [lng, lat] as const;
    });
    await jump(middle, 14);
    const deeper = await jump(middle, 15);
    expect(zoomsOf(deeper)).toEqual([15]);
    // A tile of zoom 15 is 360/2^15 degrees wide; the view is two tiles wide, so another width east shows new
    // ones.
    const width = 360 / 2 ** 15;
    const onward = await jump([middle[0] + width, middle[1]], 15);
    expect(onward.length).toBeGreaterThan(0);
    expect(zoomsOf(onward)).toEqual([15]);
    for (const tile of onward) expect(deeper).not.toContain(tile);
    expect(await jump([middle[0] + width, middle[1]], 15)).toEqual([]);
    await picture(page, 'map-tiles');
  });

  proves('M-106', {
    asked: 'the client fetches new tiles on crossing into a new tile during navigation',
    shown: "by a browser's requests: a navigation fetches over three, each once, near the vehicle",
    control: {
      in: 'web/city-map/driving-camera.ts',
      change: '      movedAt = nowMs;\n',
      to: '      movedAt = nowMs;\n      if (nowMs > 0) return;\n',
    },
  });
  proves('M-122', {
    asked: 'bytes per navigated minute of a client measured and stated',
    shown: 'the live page while it navigates: at most 20 KB a minute on its socket, and 20 KB a new tile',
  });
  it('M-106, M-122: a drive fetches the tiles that it comes to, each once, in few bytes', async () => {
    const field = (name: string) => page.getByLabel(`${name}: address, place, or latitude and longitude`);
    for (const [name, place] of [
      ['Start', '35.9110, 14.5020'],
      ['End', '35.8780, 14.4720'],
    ] as const) {
      await field(name).fill(place);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Navigate' }).click();
    await page.getByLabel('Next maneuver').waitFor();
    await mapIsDrawn(page);
    const vehicle = () =>
      stateOf(page, ({ navigation }) => ('trip' in navigation ? navigation.trip.position : null));
    const begun = (await vehicle())!;
    const before = new Set(tiles);
    asked.length = 0;
    const [bytesBefore, begunMs] = [bytes, Date.now()];
    onSocket = 0;
    const onTheWay = () => [...tiles].filter((tile) => !before.has(tile));
    await expect.poll(() => onTheWay().length, { timeout: 90_000 }).toBeGreaterThan(3);
    const now = (await vehicle())!;
    expect(now).not.toEqual(begun);
    const fetched = onTheWay();
    expect(new Set(asked).size).toBe(asked.length);
    const minutes = (Date.now() - begunMs) / 60_000;
    const perTile = (bytes - bytesBefore) / fetched.length;
    console.info(
      `${Math.round(onSocket / minutes)} bytes a minute on the socket, ${Math.round(perTile)} for each of ` +
        `${fetched.length} tiles in ${minutes.toFixed(2)} minutes`,
    );
    expect(onSocket / minutes).toBeGreaterThan(0);
    expect(onSocket / minutes).toBeLessThan(20_000);
    expect(perTile).toBeGreaterThan(0);
    expect(perTile).toBeLessThan(20_000);
    // In the columns and rows of its zoom, no further from the drive than a screen is wide.
    for (const tile of fetched) {
      const [zoom, x, y] = tile.split('/').map(Number) as [number, number, number];
      const away = [begun, now].map(({ lng, lat }) => {
        const [column, row] = [2 ** zoom * worldX(lng), 2 ** zoom * worldY(lat)];
        return Math.hypot(x + 0.5 - column, y + 0.5 - row);
      });
      expect([tile, Math.min(...away) < 6]).toEqual([tile, true]);
    }
  });

  it('M-105: requests tiles of a prepared map, which never change', () => {
    expect(unversioned).toBe(0);
  });
});
