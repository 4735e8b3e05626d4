import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { dataVersion } from '../data-version.js';
import { readInstallation } from '../installation.js';
import { version } from '../version.js';
import { type Answer, failed, ok, warning } from './finding.js';

const mib = 2 ** 20;
const freeBytesMin = 256 * mib;
const freeBytesWanted = 2_048 * mib;
/** A correction of this much while we look is no drift. */
const stepMs = 200;

const nodeOldest = [20, 19] as const;

export function checkNode(running = process.versions.node): Answer {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  const isOld = major < nodeOldest[0] || (major === nodeOldest[0] && minor < nodeOldest[1]);
  const shown = `Node.js ${running}, Meridian ${version}`;
  return isOld ? failed(shown, `Install Node.js ${nodeOldest.join('.')} or newer.`) : ok(shown);
}

/**
 * Whether a crash would write the memory of a program, with the requests in it, into a core file. `limits` is
 * the text of `/proc/self/limits`, which programs that are started alike inherit.
 */
export async function checkCoreFiles(
  limits: () => Promise<string> = () => readFile('/proc/self/limits', 'utf8'),
): Promise<Answer> {
  const text = await limits().catch(() => '');
  const [, soft] = /^Max core file size +(\S+)/m.exec(text) ?? [];
  if (soft === undefined) return ok('this system does not say whether a crash writes them');
  return soft === '0'
    ? ok('a crash writes none')
    : warning(
        'a crash writes the memory of a program, personal data of requests included, into a file',
        'Start programs with ulimit -c 0 (systemd: LimitCORE=0; containers: --ulimit core=0).',
      );
}

/** The folder of the embedded stores: of this user, of a known version, with room. */
export async function checkDataFolder(folder: string): Promise<Answer> {
  const path = resolve(folder);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return ok(`${path} does not exist yet; a start makes it`);
  if (!found.isDirectory()) return failed(`${path} is no folder`, 'Set MERIDIAN_DATA to a folder.');
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failed(`${path} cannot be written (${code})`, 'Give it to this user, or run as its owner.');
  }
  const installation = await readInstallation(path);
  if (installation === undefined)
    return ok(`${path}, which no program has used since version ${dataVersion}`);
  return ok(`${path}, data of version ${installation.data}, installation ${installation.installation}`);
}

export async function checkFreeSpace(folder: string): Promise<Answer> {
  const { bavail, bsize, files, ffree } = await statfs(await nearestFolder(folder));
  const free = bavail * bsize;
  const shown = `${Math.floor(free / mib).toLocaleString('en')} MiB free`;
  const advice = 'Free space, or move MERIDIAN_DATA to a larger disk. Without space nothing is accepted.';
  if (free < freeBytesMin) return failed(shown, advice);
  if (files > 0 && ffree < 1_000) return failed(`${ffree} more files can be made`, advice);
  return free < freeBytesWanted ? warning(shown, advice) : ok(shown);
}

async function nearestFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  const parent = resolve(path, '..');
  if (parent === path) return path;
  return (await stat(path).catch(() => undefined))?.isDirectory() ? path : nearestFolder(parent);
}

/** Both clocks of this machine, read at the start and the end of all checks. */
export function clocks(): () => Answer {
  const [wallMs, steadyMs] = [Date.now(), performance.now()];
  return () => {
    const jumpedMs = Date.now() - wallMs - (performance.now() - steadyMs);
    const now = new Date().toISOString();
    return Math.abs(jumpedMs) < stepMs
      ? ok(`${now}, steady`)
      : warning(
          `${now}; it was set by ${Math.round(jumpedMs)} ms during these checks`,
          'Let one time service correct the clock, in small steps.',
        );
  };
}

const aheadWarnMs = 1_000;
/** Tokens are judged with a minute's grace, webhooks with five. */
const aheadMaxMs = 30_000;

/** How far a server's clock is from ours. */
export function checkAhead(server: string, aheadMs: number): Answer {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const shown = `${server} is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  const advice = 'Synchronize both clocks, for example with chrony.';
  if (Math.abs(aheadMs) > aheadMaxMs) return failed(shown, advice);
  return Math.abs(aheadMs) > aheadWarnMs ? warning(shown, advice) : ok(shown);
}
