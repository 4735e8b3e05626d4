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
  /** Each tile that came from the server, in order: one that was seen before is in the browser's cache. */
  const loaded: { readonly tile: string; readonly size: number }[] = [];
  const finished: Promise<void>[] = [];

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
        const tileOf = (url: string) =>
          /\/v1\/tiles\/([0-9a-f]{16}\/)?(\d+\/\d+\/\d+)\.mvt$/.exec(new URL(url).pathname);
        // Also what workers of the page ask for, as the map asks for tiles; both ways, with the headers.
        opened.on('requestfinished', (request) => {
          finished.push(
            request.sizes().then((sizes) => {
              // From the browser's cache came headers that nobody sent, and no body.
              if (sizes.responseBodySize < 0) return;
              const size = Object.values(sizes).reduce((sum, part) => sum + part, 0);
              bytes += size;
              const tile = tileOf(request.url());
              if (tile !== null) loaded.push({ tile: tile[2]!, size });
            }),
          );
        });
        // Without the two to eight bytes before each message.
        for (const event of ['Network.webSocketFrameSent', 'Network.webSocketFrameReceived'] as const)
          session.on(event, ({ response }) => {
            onSocket += response.payloadData.length;
          });
        opened.on('request', (request) => {
          const tile = tileOf(request.url());
          if (tile === null) return;
          tiles.add(tile[2]!);
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

  it('loads no more than 1.5 MB on the first visit, including the map', async () => {
    await Promise.all(finished);
    expect(loaded.length).toBe(tiles.size);
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
    shown:
      "by a browser's requests, at one zoom: with the vehicle in another tile come tiles, each once, ahead",
    control: {
      in: 'web/city-map/driving-camera.ts',
      change: 'nowMs - movedAt < moveEveryMs',
      to: 'movedAt > 0',
    },
  });
  proves('M-122', {
    asked: 'bytes per navigated minute of a client measured and stated',
    shown:
      'the live page, some twelve tiles far: on its socket under 20 KB a minute, 20 KB a tile, in all 1 MB',
    settings: ['no TLS', 'a part of a minute is counted, and stated for a whole one'],
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
    // The tiles of the approach are not those of the drive.
    await page.waitForFunction(() => (globalThis as unknown as PageGlobal).meridian.map.getZoom() > 16.19);
    await mapIsDrawn(page);
    const vehicle = () =>
      stateOf(page, ({ navigation }) => ('trip' in navigation ? navigation.trip.position : null));
    const begun = (await vehicle())!;
    const before = new Set(tiles);
    await Promise.all(finished);
    loaded.length = 0;
    const [bytesBefore, begunMs] = [bytes, Date.now()];
    onSocket = 0;
    const onTheWay = () => [...tiles].filter((tile) => !before.has(tile));
    const at = ({ lng, lat }: typeof begun, zoom: number): [column: number, row: number] => [
      2 ** zoom * worldX(lng),
      2 ** zoom * worldY(lat),
    ];
    const tileOf = (position: typeof begun) => at(position, 16).map(Math.floor).join('/');
    let now = begun;
    await expect
      .poll(
        async () => {
          now = (await vehicle())!;
          return tileOf(now) !== tileOf(begun) && onTheWay().length > 3;
        },
        { timeout: 120_000 },
      )
      .toBe(true);
    const fetched = onTheWay();
    const zoom = await page.evaluate(() => (globalThis as unknown as PageGlobal).meridian.map.getZoom());
    expect(Math.abs(zoom - 16.2)).toBeLessThan(0.1);
    const away = (tile: string, from: typeof begun): number => {
      const [level, x, y] = tile.split('/').map(Number) as [number, number, number];
      const [column, row] = at(from, level);
      return Math.hypot(x + 0.5 - column, y + 0.5 - row);
    };
    const sum = (from: typeof begun) => fetched.reduce((total, tile) => total + away(tile, from), 0);
    expect(sum(now)).toBeLessThan(sum(begun));
    const minutes = (Date.now() - begunMs) / 60_000;
    await Promise.all(finished);
    const came = loaded.map(({ tile }) => tile);
    expect(came.filter((tile, i) => came.indexOf(tile) !== i)).toEqual([]);
    for (const tile of fetched) expect(came).toContain(tile);
    const perTile = loaded.reduce((sum, { size }) => sum + size, 0) / loaded.length;
    const perMinute = (bytes - bytesBefore + onSocket) / minutes;
    console.info(
      `${Math.round(onSocket / minutes)} bytes a minute on the socket, ${Math.round(perTile)} for each of ` +
        `${loaded.length} tiles in ${minutes.toFixed(2)} minutes: ${Math.round(perMinute)} a minute in all`,
    );
    expect(onSocket / minutes).toBeGreaterThan(0);
    expect(onSocket / minutes).toBeLessThan(20_000);
    expect(perTile).toBeGreaterThan(0);
    expect(perTile).toBeLessThan(20_000);
    expect(perMinute).toBeLessThan(1_000_000);
    // In the columns and rows of its zoom, no further from the drive than a screen is wide.
    for (const tile of fetched)
      expect([tile, Math.min(away(tile, begun), away(tile, now)) < 6]).toEqual([tile, true]);
  });

  it('M-105: requests tiles of a prepared map, which never change', () => {
    expect(unversioned).toBe(0);
  });
});
