import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { chromium, howToInstall } from './chromium.js';
import { launch } from './open-page.js';
import { type RunningPlatform, startPlatform } from './running-platform.js';

/** A platform and a browser for the tests that surround the call; both end after them. */
export function openedPlatform(): {
  readonly browser: Browser;
  readonly url: string;
  readonly internalUrl: string;
} {
  let platform: RunningPlatform;
  let browser: Browser;

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    platform = await startPlatform();
    browser = await launch(chromium);
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  return {
    get browser() {
      return browser;
    },
    /** By the name that the provider redirects guests to: browser storage belongs to one name. */
    get url() {
      return platform.url.replace('127.0.0.1', 'localhost');
    },
    get internalUrl() {
      return platform.internalUrl;
    },
  };
}
