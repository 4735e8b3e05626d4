import { checkSettings } from '../doctor/configuration.js';
import { checkEndpoints } from '../doctor/endpoints.js';
import { type Finding, finding } from '../doctor/finding.js';
import { checkLag } from '../doctor/lag.js';
import { checkCoreFiles, checkDataFolder, checkFreeSpace, checkNode, clocks } from '../doctor/machine.js';
import { checkPlatform } from '../doctor/platform.js';
import { checkRelease } from '../doctor/release.js';
import { repair } from '../doctor/repair/repair.js';
import type { Repairable } from '../doctor/repair/repairable.js';
import { checkStores } from '../doctor/stores.js';
import { exitCode } from '../exit.js';
import { readSettings } from '../read-settings.js';

/** Looks at everything that a platform needs and prints what it finds; changes nothing. */
export async function examine(json: boolean): Promise<void> {
  print(await examined(), json);
}

function print(findings: readonly Finding[], json: boolean): void {
  if (json) console.log(JSON.stringify(findings, undefined, 2));
  else console.log(table(findings));
  if (findings.some(({ state }) => state === 'failed')) process.exitCode = exitCode.failed;
}

async function examined(): Promise<readonly Finding[]> {
  const clock = clocks();
  const node = await finding('versions', () => checkNode(), 'Install a newer Node.js.');
  const { config, findings } = checkSettings(process.env);
  // Without settings, nobody knows what to look at.
  if (config === undefined) return [node, ...findings];
  const data = config.MERIDIAN_DATA;
  const groups = await Promise.all([
    finding('data folder', () => checkDataFolder(data), 'Correct MERIDIAN_DATA.'),
    finding('disk', () => checkFreeSpace(data), 'Correct MERIDIAN_DATA.'),
    finding('core files', () => checkCoreFiles(), 'Start programs with ulimit -c 0.'),
    checkStores(config),
    finding('consumer lag', () => checkLag(config), 'Correct EVENT_LOG, or start that server.'),
    finding('map', () => checkRelease(config), 'Run npx meridian tiles build --from-scratch.'),
    checkEndpoints(config),
    finding('platform', () => checkPlatform(config), 'Look at its log.'),
  ]);
  return [node, ...findings, ...groups.flat(), await finding('clock', clock, 'Correct the clock.')];
}

/** Repairs what can be derived, and prints what was done and what cannot be. */
export async function repairAll(json: boolean, wanted: readonly Repairable[]): Promise<void> {
  print(await repair(readSettings(), wanted), json);
}

const words = { ok: 'ok', warning: 'warning', failed: 'FAILED' } as const;

function table(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, detail, advice }) => [
    `${check.padEnd(width)}  ${words[state].padEnd(7)}  ${detail}`,
    ...(advice === undefined ? [] : [`${' '.repeat(width + 11)}${advice}`]),
  ]);
  const many = (state: Finding['state']): number => findings.filter((each) => each.state === state).length;
  return [...lines, '', `${many('ok')} ok, ${many('warning')} warnings, ${many('failed')} failed`].join('\n');
}
