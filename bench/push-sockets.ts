import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { appendResult, spread } from './append-result.js';
import type { ClientOrder, ClientReport } from './push/clients.js';
import type { ServerOrder, ServerReport } from './push/server-process.js';

/**
 * What does a pushed route cost with many open sockets? CPU of our gateway, compared with uWebSockets.js
 * alone, which publishes prepared texts: one to each socket, or one to all. Our gateway starts from prepared
 * frames, as those texts are, and, for the full cost, from the bytes of decisions as the log delivers them.
 * Every server has its sockets open at once, and they push in turns. If a client misses a message, the figure
 * is void.
 */
const sockets = Number(process.env['SOCKETS'] ?? 10_000);
const rounds = Number(process.env['ROUNDS'] ?? 7);
/** Messages to each socket in one round: CPU clocks have coarse ticks. */
const messages = Number(process.env['MESSAGES'] ?? 3);

type Report = ServerReport | ClientReport;

interface Party {
  readonly server: ChildProcess;
  readonly clients: ChildProcess;
  nth: number;
}

const children: ChildProcess[] = [];
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

function start(file: string, ...args: readonly string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(`./push/${file}.js`, import.meta.url)), args, {
    execArgv: ['--expose-gc'],
  });
  children.push(child);
  child.once('exit', (code) => {
    if (code !== null && code !== 0) throw new Error(`${file} ended with ${code}`);
  });
  return child;
}

async function receive<Is extends Report['is']>(
  child: ChildProcess,
  is: Is,
): Promise<Extract<Report, { is: Is }>> {
  for (;;) {
    const [report] = (await once(child, 'message')) as [Report];
    if (report.is === is) return report as Extract<Report, { is: Is }>;
  }
}

const order = (child: ChildProcess, message: ServerOrder | ClientOrder): boolean => child.send(message);

async function open(navigates: boolean, file: string, ...args: readonly string[]): Promise<Party> {
  const server = start(file, ...args);
  const { port } = await receive(server, 'listening');
  const clients = start('clients');
  const opened = receive(clients, 'open');
  order(clients, { port, count: sockets, navigates });
  await opened;
  return { server, clients, nth: 1 };
}

async function cpuOf({ server }: Party): Promise<number> {
  const report = receive(server, 'cpu');
  order(server, { do: 'cpu' });
  const { seconds, openSockets } = await report;
  if (openSockets !== sockets) throw new Error(`void: ${openSockets} of ${sockets} sockets are open`);
  return seconds;
}

/** CPU seconds of the server for one message to each socket. */
async function round(party: Party, ready = true): Promise<number> {
  let cpuS = 0;
  for (let i = 0; i < messages; i++) {
    party.nth++;
    const prepared = receive(party.server, 'prepared');
    order(party.server, { do: 'prepare', nth: party.nth, ready });
    await prepared;
    const before = await cpuOf(party);
    const received = receive(party.clients, 'received');
    order(party.server, { do: 'push' });
    await received;
    cpuS += (await cpuOf(party)) - before;
  }
  return cpuS / messages;
}

const own = await open(false, 'raw-server');
const all = await open(false, 'raw-server', 'all');
const ours = await open(true, 'our-server');
console.error(`${sockets} sockets of each`);
const names = ['ownText', 'oneTextToAll', 'ready', 'decision'] as const;
const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
  (typeof names)[number],
  number[]
>;
const micros = (seconds: number): number => (seconds * 1e6) / sockets;
// The first rounds warm all and are not counted.
for (let nth = -1; nth <= rounds; nth++) {
  const took = [await round(own), await round(all), await round(ours), await round(ours, false)].map(micros);
  const printed = took.map((us) => us.toFixed(1));
  console.error(
    `round ${nth}, us a socket: publish of a text each ${printed[0]}, of one to all ${printed[1]}; ours, ` +
      `ready ${printed[2]}, from decisions ${printed[3]}`,
  );
  if (nth < 1) continue;
  for (const [i, name] of names.entries()) figures[name].push(took[i]!);
}
const over = (ours: readonly number[], peer: readonly number[]) => spread(ours.map((us, i) => us / peer[i]!));
const result = {
  ...{ sockets, messages: messages * rounds },
  readyOverPublish: over(figures.ready, figures.ownText),
  readyOverOneTextToAll: over(figures.ready, figures.oneTextToAll),
  decisionOverPublish: over(figures.decision, figures.ownText),
  decisionOverOneTextToAll: over(figures.decision, figures.oneTextToAll),
  cpuMicrosPerSocket: Object.fromEntries(names.map((name) => [name, spread(figures[name])])),
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('push-sockets', result);
process.exit();
