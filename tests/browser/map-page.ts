import type { Browser, Page } from 'playwright-core';
import { chromium, howToInstall } from './chromium.js';
import { launch, mapIsDrawn, openPage, type Trouble } from './open-page.js';
import { startPlatform } from './running-platform.js';

export interface MapPage {
  readonly browser: Browser;
  readonly page: Page;
  readonly trouble: Trouble;
  /** Of the platform. */
  readonly url: string;
  close(): Promise<void>;
}

/** The map page of a platform of its own, when its map is drawn. `path`: with a query, such as `/?view=…`. */
export async function openMapPage(path: string, options: Parameters<typeof openPage>[2]): Promise<MapPage> {
  if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
  const platform = await startPlatform();
  const browser = await launch(chromium);
  const { page, trouble } = await openPage(browser, platform.url + path, options);
  await mapIsDrawn(page);
  return {
    ...{ browser, page, trouble, url: platform.url },
    async close() {
      await browser.close();
      await platform.stop();
    },
  };
}
