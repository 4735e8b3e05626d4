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

/**
 * A Chromium of this machine: the one that `CHROMIUM` names, else one on the path, else undefined.
 *
 * @param preferred names of programs that are taken before all others
 */
export function findChromium(env: NodeJS.ProcessEnv, preferred: readonly string[] = []): string | undefined {
  if (env['CHROMIUM'] !== undefined) return env['CHROMIUM'];
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  const onPath = (some: readonly string[]) =>
    folders.flatMap((folder) => some.map((name) => join(folder, name)));
  const candidates = [...onPath(preferred), ...onPath(names)];
  return [...candidates, ...elsewhere].find((path) => existsSync(path));
}

/** These keep Chromium from calling home. */
const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** SwiftShader renders WebGL without a graphics card. */
const rendering = {
  /** WebGL only; the rest of a page is drawn without it, which takes half of the time. */
  'WebGL alone': ['--enable-unsafe-swiftshader'],
  /** The whole page, as on a computer that has a graphics card. */
  everything: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
};

export function launch(executablePath: string, by: keyof typeof rendering = 'everything'): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...flags, ...rendering[by]] });
}
