import { WebSocket } from 'ws';
import { navStreamPath, navStreamSubprotocol } from '#schemas/nav-stream.js';

export type ClientReport = { readonly is: 'open' } | { readonly is: 'received' };
export interface ClientOrder {
  readonly port: number;
  readonly count: number;
  /** Ours begin a navigation each; the peer's only listen. */
  readonly navigates: boolean;
}

const atOnce = 32;
const attemptsMax = 20;
const begin = JSON.stringify({
  ...{ type: 'start', origin: { lat: 49.41, lng: 8.69 }, destination: { lat: 49.42, lng: 8.7 } },
});

/** Many sockets of one server; reports when each has received one more reroute. */
process.on('disconnect', () => process.exit());
process.once('message', ({ port, count, navigates }: ClientOrder) => {
  let received = 0;
  const open = (nth: number): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${navStreamPath}`, [navStreamSubprotocol], {
        headers: { authorization: `Bearer user-${nth}` },
        perMessageDeflate: false,
      });
      socket.on('error', reject);
      socket.on('open', () => {
        if (navigates) socket.send(begin);
        else resolve();
      });
      socket.on('message', (data: Buffer) => {
        if (data.subarray(0, 17).toString('latin1') === '{"type":"started"') resolve();
        if (data.subarray(0, 17).toString('latin1') !== '{"type":"reroute"') return;
        received++;
        if (received % count === 0) process.send?.({ is: 'received' } satisfies ClientReport);
      });
    });
  /** A server that is busy with upgrades refuses some for a moment. */
  const openAtLast = async (nth: number): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await open(nth);
      } catch (error) {
        if (attempt === attemptsMax) throw error;
        await new Promise((wake) => setTimeout(wake, 20 * attempt));
      }
    }
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await openAtLast(next++);
  };
  Promise.all(Array.from({ length: atOnce }, worker)).then(
    () => process.send?.({ is: 'open' } satisfies ClientReport),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
