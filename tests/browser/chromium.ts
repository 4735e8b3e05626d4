import { findChromium, howToInstall } from '#tools/browser.js';

export { howToInstall };

export const chromium = findChromium(process.env);

/** Without a browser a suite is skipped, and its name says why; in CI it fails. */
export const skipped = chromium === undefined && process.env['CI'] === undefined;
export const why = skipped ? ` (skipped: no Chromium is here; ${howToInstall})` : '';
