import { Fault } from './fault.mjs';
import { launch, logOf } from './launch.mjs';
import { withServerLock } from './lock.mjs';
import { ourProcess } from './pid-file.mjs';
import { refuseTakenPorts } from './refuse-taken-ports.mjs';
import { tailOf } from './run.mjs';
import { host } from './settings.mjs';
import { waitUntil } from './wait-until.mjs';

const startSeconds = 90;

/**
 * Brings one server to the state "answers its check", from whatever state it is in.
 * @param {import('./servers.mjs').Server} server
 * @param {(text: string) => void} report
 * @returns {Promise<string>} what was found or done, as words for the reader
 */
export const bringUp = (server, report) => withServerLock(server.name, () => bringUpNow(server, report));

async function bringUpNow(server, report) {
  const { name, ports } = server;
  const running = ourProcess(name);
  if (running !== undefined && running.ports !== ports.join(' ')) {
    throw new Fault(
      `${name} runs on port ${running.ports.split(' ')[0]}, not ${ports[0]}: run infra/down ${name} first.`,
    );
  }
  if (running === undefined) {
    await refuseTakenPorts(name, ports);
    const programs = await server.install(report);
    report('starting');
    await server.prepare(programs);
    await launch(name, ports, server.command(programs));
  }
  await waitUntil(() => server.check(), {
    seconds: startSeconds,
    giveUp() {
      if (ourProcess(name) !== undefined) return;
      throw new Fault(`${name} ended while it started. The end of ${logOf(name)}:\n${tailOf(logOf(name))}`);
    },
  }).catch((error) => {
    if (error instanceof Fault) throw error;
    const advice = `Look at ${logOf(name)}, then run infra/kill ${name} and infra/start ${name}`;
    throw new Fault(
      `${name} runs but does not answer within ${startSeconds} s (${error.message}). ${advice}.`,
    );
  });
  await server.whenReady?.();
  return `${running === undefined ? 'ready' : 'already up'} on ${host}:${ports[0]}`;
}
