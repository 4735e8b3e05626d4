import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export const howToInstall =
  'install one (Debian: apt-get install -y --no-install-recommends chromium) or name its program in CHROMIUM';

/** A Chromium of this machine: the one that `CHROMIUM` names, else one on the path, else undefined. */
function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  if (env['CHROMIUM'] !== undefined) return env['CHROMIUM'];
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...candidates, ...elsewhere].find((path) => existsSync(path));
}

export const chromium = findChromium(process.env);

/** Without a browser a suite is skipped, and its name says why; in CI it fails. */
export const skipped = chromium === undefined && process.env['CI'] === undefined;
export const why = skipped ? ` (skipped: no Chromium is here; ${howToInstall})` : '';
