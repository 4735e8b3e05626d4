import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/**
 * A picture of the page for people, in the folder that `SCREENSHOTS` names; none if it is not set. No test
 * depends on one: on a machine without a graphics card Chromium sometimes never answers.
 */
export async function picture(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), ...options });
}
