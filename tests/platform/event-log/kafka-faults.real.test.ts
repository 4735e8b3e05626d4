import { randomUUID } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { contract } from '../../contracts/event-log.contract.js';
import { required } from '../../contracts/required-variable.js';
import { eventually } from '../../eventually.js';

/**
 * A broker's advertised address bypasses any proxy, so a test can only cut connections to the first address.
 * The broker itself reports the later ones.
 */
describe('event log on Kafka through faults', () => {
  const address = required('EVENT_LOG', 'kafka://');
  const [host, port] = address.slice('kafka://'.length).split(',')[0]!.split(':');
  let log: EventLog;
  beforeAll(async () => {
    log = await openEventLog(address);
  });
  afterAll(() => log.close());

  it('becomes ready by itself when the broker starts late', async () => {
    const topic = `late.${randomUUID()}.v1`;
    await log.createTopics([contract(topic, 2)]);
    const reserved = createServer();
    await new Promise<void>((resolve) => reserved.listen(0, '127.0.0.1', resolve));
    const { port: latePort } = reserved.address() as { port: number };
    await new Promise((resolve) => reserved.close(resolve));

    const late = await openEventLog(`kafka://127.0.0.1:${latePort}`);
    const seen: string[] = [];
    const errors: string[] = [];
    const consumer = await late.consume({
      group: randomUUID(),
      topics: [topic],
      startAt: 'earliest',
      onBatch: async ({ records }) => void seen.push(...records.map(({ key }) => key)),
      onError: (error) => errors.push(error.message),
    });
    await expect(late.append(topic, [{ key: 'early', value: null }])).rejects.toMatchObject({
      retriable: true,
    });
    await eventually(() => expect(errors.length).toBeGreaterThan(0));

    const sockets = new Set<Socket>();
    const proxy: Server = createServer((socket) => {
      const upstream = connect(Number(port), host);
      for (const end of [socket, upstream]) {
        sockets.add(end);
        end.on('error', () => {}).on('close', () => sockets.delete(end));
      }
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(latePort, '127.0.0.1', resolve));
    await eventually(() => late.append(topic, [{ key: 'k', value: null }]));
    await eventually(() => expect(seen).toContain('k'));
    await consumer.close();
    await late.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('F4: rejects at its limit immediately and as retriable', async () => {
    const { KafkaEventLog } = await import('#platform/event-log/kafka-event-log.js');
    const topic = `limit.${randomUUID()}.v1`;
    const small = new KafkaEventLog({ brokers: [`${host}:${port}`], queuedRecordsMax: 100 });
    await small.createTopics([contract(topic, 1)]);
    await small.append(topic, [{ key: 'k', value: null }]);
    const batch = Array.from({ length: 10 }, () => ({ key: 'k', value: Buffer.alloc(10) }));
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => small.append(topic, batch)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ retriable: true });
    expect((await small.offsets(topic))[0]!.end).toBe(101);
    await small.close();
  });

  it('sends more than fits into one record batch, in order', async () => {
    const topic = `large.${randomUUID()}.v1`;
    await log.createTopics([contract(topic, 1)]);
    const records = Array.from({ length: 40 }, (_, i) => ({ key: `${i}`, value: Buffer.alloc(100_000, i) }));
    const positions = await log.append(topic, records);
    expect(positions.map(({ offset }) => offset)).toEqual(records.map((_, i) => i));
    let expected = 0;
    for await (const { key } of log.read(topic, 0, 0)) expect(key).toBe(`${expected++}`);
    expect(expected).toBe(40);
  });
});
