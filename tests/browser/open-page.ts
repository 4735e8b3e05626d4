import type { Browser, Page } from 'playwright-core';
import { launch as launchBrowser } from '#tools/browser.js';
import type { AppState } from '#web/state/state.js';

export const launch = (executablePath: string): Promise<Browser> =>
  launchBrowser(executablePath, 'WebGL alone');

/** What the page leaves on `globalThis` for its tests: enough of the map to query what it has rendered. */
export interface PageGlobal {
  readonly meridian: {
    readonly app: { get(): AppState; set(change: Partial<AppState>): void };
    readonly map: {
      project(at: readonly [number, number]): { x: number; y: number };
      jumpTo(view: { center: readonly [number, number]; zoom: number }): void;
      isSourceLoaded(source: string): boolean;
      once(event: 'render', done: () => void): void;
      triggerRepaint(): void;
      isMoving(): boolean;
      getBearing(): number;
      getPitch(): number;
      getZoom(): number;
      getCenter(): { lng: number; lat: number };
      getPaintProperty(layer: string, name: string): unknown;
      queryRenderedFeatures(
        box: readonly (readonly [number, number])[],
        options: { layers: string[] },
      ): Drawn[];
      querySourceFeatures(source: string, options?: { sourceLayer: string }): Drawn[];
    };
  };
}

interface Drawn {
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: Record<string, unknown>;
}

/** Must stay empty while the page is used. */
export interface Trouble {
  readonly console: string[];
  readonly violations: string[];
  readonly foreign: string[];
}

/**
 * Pixels of the screen for each pixel of a page. Half of the time of a page with a map goes into pixels that
 * nobody looks at; pictures for people have all of them.
 */
export const deviceScaleFactor = process.env['SCREENSHOTS'] === undefined ? 0.5 : 1;

/** What a page requests through its service worker, a test could neither see nor answer. */
export const serviceWorkers = 'block';

export interface OpenedPage {
  readonly page: Page;
  readonly trouble: Trouble;
  /** The policy that came with the document. */
  readonly policy: string;
}

export async function openPage(
  browser: Browser,
  url: string,
  options: {
    width: number;
    height: number;
    dark?: boolean;
    /** Runs before the document is requested. */
    prepare?: (page: Page) => Promise<unknown>;
  },
): Promise<OpenedPage> {
  const { width, height, dark = false, prepare } = options;
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor,
    colorScheme: dark ? 'dark' : 'light',
    serviceWorkers,
  });
  const trouble: Trouble = { console: [], violations: [], foreign: [] };
  const ours = new URL(url).host;
  const note = (address: string) => {
    const { host, protocol } = new URL(address);
    if (host !== ours && protocol !== 'data:' && protocol !== 'blob:') trouble.foreign.push(address);
  };
  page.on('request', (request) => note(request.url()));
  page.on('websocket', (socket) => note(socket.url()));
  page.on('pageerror', (error) => trouble.console.push(error.message));
  page.on('console', (message) => {
    // A server that sheds load answers 503 by design; the page retries, and only Chromium calls it an error.
    const shed = / 503 /.test(message.text());
    if (message.type() === 'error' && !shed) trouble.console.push(message.text());
    if (/Content Security Policy/i.test(message.text())) trouble.violations.push(message.text());
  });
  page.setDefaultTimeout(60_000);
  await prepare?.(page);
  const response = await page.goto(url);
  return { page, trouble, policy: response?.headers()['content-security-policy'] ?? '' };
}

/**
 * The streets of this view are rendered. The map requests its tiles while it renders a frame: before that it
 * lacks none.
 */
export async function mapIsDrawn(page: Page): Promise<void> {
  await page.waitForSelector('.map[data-ready="true"]', { timeout: 150_000 });
  await page.evaluate(
    () =>
      new Promise<void>((drawn) => {
        const { map } = (globalThis as unknown as PageGlobal).meridian;
        map.once('render', drawn);
        map.triggerRepaint();
      }),
  );
  await page.waitForFunction(
    () => (globalThis as unknown as PageGlobal).meridian.map.isSourceLoaded('base'),
    undefined,
    { timeout: 150_000 },
  );
}

/** Where a place is on the screen, once the map has stopped moving. */
export async function pixelOf(page: Page, at: readonly [number, number]): Promise<{ x: number; y: number }> {
  await page.waitForFunction(() => !(globalThis as unknown as PageGlobal).meridian.map.isMoving());
  return await page.evaluate((place) => {
    const { x, y } = (globalThis as unknown as PageGlobal).meridian.map.project(place);
    return { x, y };
  }, at);
}

export function stateOf<Part>(page: Page, pick: (state: AppState) => Part): Promise<Part> {
  return page.evaluate(`(${pick.toString()})(globalThis.meridian.app.get())`) as Promise<Part>;
}
