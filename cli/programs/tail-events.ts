import { setTimeout as sleep } from 'node:timers/promises';
import type { LogRecord } from '#platform/event-log/event-log.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import { topics } from '#schemas/topics.js';
import { openLog, openRegistry } from '../adapters.js';
import { CommandFailed, exitCode } from '../exit.js';
import { linesTo } from '../print-lines.js';
import { readSettings } from '../read-settings.js';

export interface TailOptions {
  readonly json?: boolean;
  readonly from: 'earliest' | 'latest';
  readonly max?: number;
  readonly follow: boolean;
}

const pollMs = 250;

export async function tailEvents(name: string, options: TailOptions): Promise<void> {
  if (!topics.some((topic) => topic.name === name)) {
    throw new CommandFailed(
      `There is no topic ${name}; \`meridian events list\` lists them.`,
      exitCode.notFound,
    );
  }
  const config = readSettings();
  const log = await openLog(config, silentLogger);
  const registry = await openRegistry(config);
  try {
    await log.createTopics(topics);
    const codec = codecOf(await openTopicCodecs(registry), name);
    const next = new Map<number, number>();
    for (const { partition, earliest, end } of await log.offsets(name)) {
      next.set(partition, options.from === 'earliest' ? earliest : end);
    }
    const print = linesTo(process.stdout);
    let printed = 0;
    const max = options.max ?? Number.POSITIVE_INFINITY;
    do {
      for (const [partition, offset] of next) {
        for await (const record of log.read(name, partition, offset)) {
          if (printed++ >= max) return;
          if (!(await print(line(record, partition, codec, options.json === true)))) return;
          next.set(partition, record.offset + 1);
        }
      }
      if (options.follow && printed < max) await sleep(pollMs);
    } while (options.follow && printed < max);
  } finally {
    await log.close();
    await registry.close();
  }
}

interface AnyCodec {
  decode(value: Uint8Array): unknown;
}

function codecOf(codecs: TopicCodecs, name: string): AnyCodec {
  return Object.values(codecs).find((codec) => codec.topic.name === name)!;
}

function line(record: LogRecord, partition: number, codec: AnyCodec, json: boolean): string {
  const value = record.value === null ? null : codec.decode(record.value);
  const { offset, key, timestampMs } = record;
  const time = new Date(timestampMs).toISOString();
  return json
    ? JSON.stringify({ partition, offset, key, time, value }, plain)
    : `${time} ${partition}/${offset} ${key} ${JSON.stringify(value, plain)}`;
}

/** Columns and bytes as JSON has them. */
function plain(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<number>);
  return value;
}
