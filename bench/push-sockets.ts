import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { appendResult, spread } from './append-result.js';
import type { ClientOrder, ClientReport } from './push/clients.js';
import type { ServerOrder, ServerReport } from './push/server-process.js';

/**
 * What does a pushed route cost where many sockets wait: CPU of our gateway from the bytes of a decision to a frame of its own
 * on each socket, over CPU of uWebSockets.js alone that publishes to each socket a text of its own, made ahead; and, beside
 * these, one text to all. Every server has its sockets open at once, and they push in turns. Every client must have got
 * every message, else the figure is void.
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

async function hear<Is extends Report['is']>(
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
  const { port } = await hear(server, 'listening');
  const clients = start('clients');
  const opened = hear(clients, 'open');
  order(clients, { port, count: sockets, navigates });
  await opened;
  return { server, clients, nth: 1 };
}

async function cpuOf({ server }: Party): Promise<number> {
  const report = hear(server, 'cpu');
  order(server, { do: 'cpu' });
  const { seconds, openSockets } = await report;
  if (openSockets !== sockets) throw new Error(`void: ${openSockets} of ${sockets} sockets are open`);
  return seconds;
}

/** CPU seconds of the server for one message to each socket. */
async function round(party: Party): Promise<number> {
  let cpuS = 0;
  for (let i = 0; i < messages; i++) {
    party.nth++;
    const prepared = hear(party.server, 'prepared');
    order(party.server, { do: 'prepare', nth: party.nth });
    await prepared;
    const before = await cpuOf(party);
    const received = hear(party.clients, 'received');
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
const figures = { own: [] as number[], all: [] as number[], ours: [] as number[] };
const ratios = { own: [] as number[], all: [] as number[] };
const micros = (seconds: number): number => (seconds * 1e6) / sockets;
// The first rounds warm all and are not counted.
for (let nth = -1; nth <= rounds; nth++) {
  const [ownS, allS, oursS] = [await round(own), await round(all), await round(ours)];
  console.error(
    `round ${nth}: publish ${micros(ownS).toFixed(1)} us (one text to all ${micros(allS).toFixed(1)} us), ` +
      `ours ${micros(oursS).toFixed(1)} us a socket: ${(oursS / ownS).toFixed(2)} (${(oursS / allS).toFixed(2)})`,
  );
  if (nth < 1) continue;
  figures.own.push(micros(ownS));
  figures.all.push(micros(allS));
  figures.ours.push(micros(oursS));
  ratios.own.push(oursS / ownS);
  ratios.all.push(oursS / allS);
}
const result = {
  ...{ sockets, messages: messages * rounds },
  oursOverPublish: spread(ratios.own),
  oursOverOneTextToAll: spread(ratios.all),
  cpuMicrosPerSocket: {
    publish: spread(figures.own),
    oneTextToAll: spread(figures.all),
    ours: spread(figures.ours),
  },
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('push-sockets', result);
process.exit();
