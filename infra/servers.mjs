import { Fault } from './fault.mjs';
import { cassandra } from './servers/cassandra.mjs';
import { kafka } from './servers/kafka.mjs';
import { postgres } from './servers/postgres.mjs';
import { redis } from './servers/redis.mjs';
import { registry } from './servers/registry.mjs';
import { s3 } from './servers/s3.mjs';

/**
 * @typedef {object} Server one kind of server: how it is had, started, spoken to and stopped
 * @property {string} name
 * @property {string} variable the platform's variable for its address; when set, that server is used instead
 * @property {number[]} ports every port it opens, the clients' first
 * @property {NodeJS.Signals} stopSignal
 * @property {() => string} address
 * @property {() => Record<string, string>} [extraLines] what clients need besides the address
 * @property {(report: (text: string) => void) => Promise<object>} install gets its programs, unless they
 * are installed
 * @property {(programs: object) => Promise<void> | void} prepare writes configuration, makes empty data once
 * @property {(programs: object) => {file: string, args: string[], env?: object, cwd: string}} command
 * @property {() => Promise<void>} check speaks to the server; throws unless it answers as it should
 * @property {() => Promise<void>} [whenReady] what must be made inside the running server; safe to repeat
 */

/** The slowest to start first. @type {Server[]} */
export const servers = [cassandra, kafka, registry, postgres, s3, redis];

/** @param {string[]} names none means all */
export function serversNamed(names) {
  const known = servers.map((server) => server.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Fault(`There is no server ${unknown.join(', ')}: choose from ${known.join(', ')}.`);
  return names.length === 0 ? servers : servers.filter((server) => names.includes(server.name));
}
