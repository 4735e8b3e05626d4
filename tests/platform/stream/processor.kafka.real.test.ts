import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { each } from '#platform/stream/input.js';
import { ok } from '#platform/stream/outcome.js';
import { startProcessor } from '#platform/stream/start-processor.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { protobufTopicCodec } from '#platform/wire/protobuf-topic-codec.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import type { NavigationProgress } from '#schemas/messages.js';
import { navProgress } from '#schemas/topics.js';
import { required } from '../../contracts/required-variable.js';
import { eventually } from '../../eventually.js';
import { progress } from './stream-world.js';

describe('processor on Kafka', () => {
  it('F10, F12: members that join and leave count everything once; dead-letters poison records', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'processor-'));
    const log = await openEventLog(required('EVENT_LOG', 'kafka://'));
    const registry = await openSchemaRegistry(required('SCHEMA_REGISTRY_URL', 'http'));
    const codecs = await openTopicCodecs(registry);
    const objects = await DirectoryObjectStore.open(folder);
    // A separate topic, so that it has no records of other suites.
    const topic = { ...navProgress, name: `nav.progress.${randomUUID()}.v1`, partitions: 4 };
    const codec = await protobufTopicCodec<NavigationProgress>(topic, registry);
    const group = `sums-${randomUUID()}`;
    const states = new Map<number, Record<string, number>>();
    const start = async () => {
      const processor = await startProcessor<Record<string, number>>(
        {
          group,
          startAt: 'earliest',
          state: {
            fresh: () => ({}),
            encode: (sums) => Buffer.from(JSON.stringify(sums)),
            decode: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as Record<string, number>,
          },
          inputs: [
            each(codec, ({ message }, { state, partition }) => {
              state[message.userId] = (state[message.userId] ?? 0) + message.timeMs;
              states.set(partition, state);
              return ok;
            }),
          ],
        },
        { log, deadLetters: codecs.deadLetter, objects, limits: { batchRecordsMax: 50 } },
      );
      await processor.ready;
      return processor;
    };

    const recount: Record<string, number> = {};
    const members = [await start()];
    for (let round = 0; round < 4; round++) {
      const batch = Array.from({ length: 1_000 }, (_, i) => progress(`u${i % 40}`, i));
      for (const { userId, timeMs } of batch) recount[userId] = (recount[userId] ?? 0) + timeMs;
      await log.append(
        topic.name,
        batch.map((message) => ({ key: message.userId, value: codec.encode(message) })),
      );
      if (round === 1) await log.append(topic.name, [{ key: 'poison', value: Buffer.from('none') }]);
      if (round % 2 === 0) members.push(await start());
      else await members.shift()!.close();
    }
    await eventually(
      async () => {
        const ends = await log.offsets(topic.name);
        const committed = await log.committed(group, topic.name);
        expect(committed.map(({ offset }) => Math.max(0, offset))).toEqual(ends.map(({ end }) => end));
      },
      { everyMs: 200 },
    );
    expect(Object.assign({}, ...states.values())).toEqual(recount);
    const letters = [];
    for await (const { value } of log.read('dead.letter.v1', 0, 0)) {
      const letter = codecs.deadLetter.decode(value!);
      if (letter.group === group) letters.push(letter);
    }
    expect(letters).toEqual([
      expect.objectContaining({ topic: topic.name, cause: expect.stringMatching(/^undecodable/) }),
    ]);
    await Promise.all(members.map((member) => member.close()));
    await log.close();
    await registry.close();
    await rm(folder, { recursive: true });
  });
});
