import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { Fault } from './fault.mjs';
import { host, portVariable } from './settings.mjs';

/** @throws {Fault} when a port is taken, naming the program that has it where this user may see that */
export async function refuseTakenPorts(name, ports) {
  for (const port of ports) {
    const error = await new Promise((settle) => {
      const probe = createServer();
      probe.once('error', settle);
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => settle(undefined)));
    });
    if (error === undefined) continue;
    if (error.code !== 'EADDRINUSE')
      throw new Fault(`${name} cannot listen on ${host}:${port}: ${error.message}.`);
    throw new Fault(
      `Port ${port} of ${name} is taken by ${ownerOf(port)}. Stop that program, ` +
        `or set ${portVariable(name)} to another port.`,
    );
  }
}

function ownerOf(port) {
  const stranger = 'another program';
  try {
    const inode = listeningSockets().get(port);
    for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      if (socketsOf(pid).includes(`socket:[${inode}]`)) {
        return (
          `pid ${pid} ` +
          `(${readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').slice(0, 80).trim()})`
        );
      }
    }
  } catch {
    return stranger;
  }
  return stranger;
}

/** proc(5): columns are slot, local address, remote address, state (0A listens), four more, socket inode. */
function listeningSockets() {
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1),
  );
  const columns = rows.map((row) => row.trim().split(/\s+/)).filter((row) => row[3] === '0A');
  return new Map(columns.map((row) => [Number.parseInt(row[1].split(':')[1], 16), row[9]]));
}

function socketsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // Another user's process, or one that has just ended.
  }
}
