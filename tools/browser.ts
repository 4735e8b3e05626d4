import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

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
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  if (env['CHROMIUM'] !== undefined) return env['CHROMIUM'];
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...candidates, ...elsewhere].find((path) => existsSync(path));
}

/** SwiftShader renders WebGL without a graphics card; the other flags keep Chromium from calling home. */
const flags = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags });
}
