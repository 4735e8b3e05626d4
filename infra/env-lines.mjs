import { ourProcess } from './pid-file.mjs';
import { servers } from './servers.mjs';

/**
 * The address of a server that somebody else runs, or undefined. Our own address read back from the env file
 * is not somebody else's.
 */
export function givenAddress(server) {
  const given = process.env[server.variable];
  return given === undefined || given === '' || given === server.address() ? undefined : given;
}

/** One line for each address that can be used now, for a shell (`. env`) as well as for `node --env-file`. */
export function envLines() {
  const values = {};
  for (const server of servers) {
    const given = givenAddress(server);
    if (given !== undefined) values[server.variable] = given;
    else if (ourProcess(server.name)?.ports === server.ports.join(' ')) {
      Object.assign(values, { [server.variable]: server.address(), ...server.extraLines?.() });
    }
  }
  return Object.entries(values).map(([key, value]) => `${key}=${quoted(value)}\n`);
}

const quoted = (value) => (/^[\w:/.@?=,+%-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`);
