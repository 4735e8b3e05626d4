import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from './fault.mjs';

/** The folder of these scripts, and the only address any server listens on. */
export const here = dirname(fileURLToPath(import.meta.url));
export const host = '127.0.0.1';

/** Everything the servers write lies under this one folder; `infra/down --purge` removes it. */
export const dataFolder = resolve(process.env.MERIDIAN_INFRA_DATA ?? join(here, '../data/infra'));

/** Downloaded programs outlive a purge and are shared by every clone of one user. */
export const cacheFolder = resolve(
  process.env.MERIDIAN_INFRA_CACHE ??
    join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'meridian-infra'),
);

export const runFolder = join(dataFolder, 'run');
export const logFolder = join(dataFolder, 'logs');
export const envFile = join(dataFolder, 'env');

const marker = join(dataFolder, '.meridian-infra');

/** A purge deletes the whole folder, so a folder with anything else in it is refused at the start. */
export function claimDataFolder() {
  mkdirSync(dataFolder, { recursive: true });
  if (!existsSync(marker)) {
    if (readdirSync(dataFolder).length > 0) {
      throw new Fault(
        `${dataFolder} holds other files, and infra/down --purge would delete them. ` +
          'Set MERIDIAN_INFRA_DATA to an empty folder.',
      );
    }
    writeFileSync(
      marker,
      'The data of the servers that infra/up starts. infra/down --purge deletes this folder.\n',
    );
  }
  for (const folder of [runFolder, logFolder]) mkdirSync(folder, { recursive: true });
}

export const dataFolderIsOurs = () => existsSync(marker);

/** @returns {string} the variable that moves a server to another port */
export const portVariable = (name) => `MERIDIAN_INFRA_${name.toUpperCase()}_PORT`;

/** The default ports are below the ephemeral range and differ from each server's own, to avoid conflicts. */
export function port(name, byDefault) {
  const given = process.env[portVariable(name)];
  return given === undefined ? byDefault : portOf(portVariable(name), given);
}

/** Ports of several servers of one name, joined by commas; `one` is among them, and alone by default. */
export function ports(name, one) {
  const variable = `MERIDIAN_INFRA_${name}`;
  const given = process.env[variable];
  if (given === undefined) return [one];
  const all = given.split(',').map((each) => portOf(variable, each));
  if (!all.includes(one)) throw new Fault(`${variable}=${given} does not name this server's port ${one}.`);
  return all;
}

function portOf(variable, given) {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1024 && number <= 65534) return number;
  throw new Fault(`${variable}=${given} is not a port: give a whole number from 1024 to 65534.`);
}
