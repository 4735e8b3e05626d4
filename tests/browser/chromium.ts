import { findChromium, howToInstall } from '#tools/browser.js';

export { howToInstall };

/**
 * The same engine without the windows that nobody sees comes first: opening a page takes it a third of the
 * processor's time.
 */
export const chromium = findChromium(process.env, ['chromium-headless-shell']);

/** Without a browser a suite is skipped, and its name says why; in CI it fails. */
export const skipped = chromium === undefined && process.env['CI'] === undefined;
export const why = skipped ? ` (skipped: no Chromium is here; ${howToInstall})` : '';
