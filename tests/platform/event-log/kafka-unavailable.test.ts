import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { contract } from '../../contracts/event-log.contract.js';

/** No broker is needed to see how the adapter behaves without one. */
describe('event log on Kafka without a broker', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(onSocket: (socket: Socket) => void): Promise<number> {
    const server = createServer(onSocket);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as { port: number }).port;
  }

  /** A port that no process listens on: it was free a moment ago. */
  async function closedPort(): Promise<number> {
    const port = await listen(() => {});
    await new Promise((resolve) => servers.pop()!.close(resolve));
    return port;
  }

  it('F4: reports a refused connection in less than five seconds', async () => {
    const address = `kafka://127.0.0.1:${await closedPort()}`;
    const log = await openEventLog(address);
    const begun = performance.now();
    const calls = [
      log.append('t.v1', [{ key: 'k', value: new Uint8Array(1) }]),
      log.check(),
      log.createTopics([contract('t.v1', 1)]),
      log.offsets('t.v1'),
      log.committed('g', 't.v1'),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected' });
      const { reason } = outcome as PromiseRejectedResult;
      expect(reason).toMatchObject({ name: 'LogUnavailable', retriable: true });
      expect(reason.message).toContain(address.slice('kafka://'.length));
    }
    expect(performance.now() - begun).toBeLessThan(5_000);
    await log.close();
  });

  it('F5: stops waiting for a broker that accepts but never answers', async () => {
    const sockets: Socket[] = [];
    const log = await openEventLog(`kafka://127.0.0.1:${await listen((socket) => sockets.push(socket))}`);
    const begun = performance.now();
    await expect(log.check()).rejects.toMatchObject({ name: 'LogUnavailable', retriable: true });
    expect(performance.now() - begun).toBeLessThan(12_000);
    for (const socket of sockets) socket.destroy();
    await log.close();
  });

  it('a consumer waits, reports what is wrong, and can be closed', async () => {
    const log = await openEventLog(`kafka://127.0.0.1:${await closedPort()}`);
    const errors: string[] = [];
    const consumer = await log.consume({
      group: 'g',
      topics: ['t.v1'],
      startAt: 'earliest',
      onBatch: async () => {},
      onError: (error) => errors.push(error.message),
    });
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    await consumer.close();
    await log.close();
  });

  it('rejects invalid addresses, with an example', async () => {
    for (const address of [
      '',
      'redis://x',
      'embedded:',
      'kafka:',
      'kafka://',
      'kafka://host',
      'embedded:./x?flush=never',
    ])
      await expect(openEventLog(address)).rejects.toThrow(/write (embedded|kafka):/);
  });
});
