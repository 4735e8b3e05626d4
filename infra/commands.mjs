import { rmSync, writeFileSync } from 'node:fs';
import { bringUp } from './bring-up.mjs';
import { envLines, givenAddress } from './env-lines.mjs';
import { Fault } from './fault.mjs';
import { stop } from './launch.mjs';
import { ourProcess } from './pid-file.mjs';
import { progress } from './progress.mjs';
import { servers, serversNamed } from './servers.mjs';
import { claimDataFolder, dataFolder, dataFolderIsOurs, envFile, host } from './settings.mjs';

const stopSeconds = 30;

/** Starts what is missing of the named servers, all at once, and tells the addresses. */
export async function up(names) {
  const wanted = serversNamed(names);
  claimDataFolder();
  const bar = progress(wanted.map((server) => server.name));
  const faults = [];
  const one = async (server) => {
    const given = givenAddress(server);
    if (given !== undefined) return bar.finish(server.name, `skipped: ${server.variable} is given`);
    try {
      bar.finish(server.name, await bringUp(server, (text) => bar.report(server.name, text)));
    } catch (error) {
      bar.finish(server.name, 'FAILED');
      faults.push(error);
    }
  };
  await Promise.all(wanted.map(one));
  bar.end();
  const lines = writeEnvFile();
  if (faults.length > 0) throw new AggregateError(faults);
  process.stdout.write(lines.join(''));
}

/** Stops the named servers by process id; `--purge` also deletes data, secrets and logs, never downloads. */
export async function down(args) {
  const names = args.filter((arg) => arg !== '--purge');
  const purge = args.includes('--purge');
  const wanted = serversNamed(names);
  if (purge && names.length > 0)
    throw new Fault('infra/down --purge deletes the data of all servers: name none.');
  if (!dataFolderIsOurs()) return console.error(`Nothing to do: ${dataFolder} was never started.`);
  const signal = (server) => (purge ? 'SIGKILL' : server.stopSignal); // What is deleted needs no flush.
  const one = async (server) => {
    console.error(`${server.name}: ${await stop(server.name, signal(server), stopSeconds)}`);
  };
  await Promise.all(wanted.map(one));
  writeEnvFile();
  if (purge) rmSync(dataFolder, { recursive: true, force: true });
}

/** Kills one server the way a power cut does: no signal it could answer, nothing flushed. */
export async function kill(names) {
  const [server] = exactlyOne(names, 'infra/kill');
  if (ourProcess(server.name) === undefined)
    throw new Fault(`${server.name} does not run, so there is nothing to kill.`);
  console.error(`${server.name}: ${await stop(server.name, 'SIGKILL', stopSeconds)}`);
}

/** Starts one server again on the data it left, and returns when it answers. */
export async function start(names) {
  const [server] = exactlyOne(names, 'infra/start');
  claimDataFolder();
  const began = performance.now();
  const outcome = await bringUp(server, () => {});
  console.error(`${server.name}: ${outcome} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** Prints a line per server; the exit code is 0 when each one answers or is given. */
export async function status(names) {
  for (const server of serversNamed(names)) {
    const running = ourProcess(server.name);
    let state = 'down';
    if (givenAddress(server) !== undefined) state = `given by ${server.variable}`;
    else if (running !== undefined) {
      const silent = await server.check().then(
        () => undefined,
        (error) => error.message,
      );
      state =
        `pid ${running.pid} on ` +
        `${host}:${server.ports[0]}${silent ? `, does not answer: ${silent}` : ''}`;
      if (silent) process.exitCode = 1;
    } else process.exitCode = 1;
    console.log(`${server.name.padEnd(10)} ${state}`);
  }
}

function writeEnvFile() {
  const lines = envLines();
  rmSync(envFile, { force: true });
  if (lines.length > 0) writeFileSync(envFile, lines.join(''), { mode: 0o600 });
  return lines;
}

function exactlyOne(names, command) {
  if (names.length !== 1) {
    throw new Fault(`${command} takes one name: ${servers.map((server) => server.name).join(', ')}.`);
  }
  return serversNamed(names);
}
