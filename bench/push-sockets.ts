import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { appendResult, spread } from './append-result.js';
import type { ClientOrder, ClientReport } from './push/clients.js';
import type { ServerOrder, ServerReport } from './push/server-process.js';

/**
 * What does a pushed route cost where many sockets wait: CPU of our gateway from the bytes of a decision to a frame of its own
 * on each socket, over CPU of uWebSockets.js that publishes one text to all. Both servers have their sockets open at once and push in turns. Every client must have got every message,
 * else the figure is void.
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

function start(file: string): ChildProcess {
  const child = fork(fileURLToPath(new URL(`./push/${file}.js`, import.meta.url)));
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

async function open(file: string, navigates: boolean): Promise<Party> {
  const server = start(file);
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

const [raw, ours] = [await open('raw-server', false), await open('our-server', true)];
console.error(`${sockets} sockets of each`);
const figures = { raw: [] as number[], ours: [] as number[], ratio: [] as number[] };
// The first rounds warm both and are not counted.
for (let nth = -1; nth <= rounds; nth++) {
  const [rawS, oursS] = [await round(raw), await round(ours)];
  const micros = (seconds: number): string => ((seconds * 1e6) / sockets).toFixed(1);
  console.error(
    `round ${nth}: publish ${micros(rawS)} us, ours ${micros(oursS)} us a socket: ${(oursS / rawS).toFixed(2)}`,
  );
  if (nth < 1) continue;
  figures.raw.push((rawS * 1e6) / sockets);
  figures.ours.push((oursS * 1e6) / sockets);
  figures.ratio.push(oursS / rawS);
}
const result = {
  ...{ sockets, messages: messages * rounds },
  oursOverPublish: spread(figures.ratio),
  cpuMicrosPerSocket: { publish: spread(figures.raw), ours: spread(figures.ours) },
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('push-sockets', result);
process.exit();
