import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Admin, Kafka, logLevel, type Producer } from 'kafkajs';
import protobuf from 'protobufjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { required } from '../contracts/required-variable.js';

const foreignConsumer = fileURLToPath(new URL('../../infra/foreign-consumer', import.meta.url));

const placeFile = 'syntax = "proto3"; package probe.place; message Place { double lat = 1; double lng = 2; }';
const seenFile = `syntax = "proto3";
package probe.seen;
import "probe/place.proto";
message Other { string word = 1; }
message Seen {
  message Inner { uint32 count = 1; }
  string user_id = 1;
  int64 at_ms = 2;
  repeated sint32 steps = 3;
  probe.place.Place place = 4;
}`;

/** The encoder's own view of the messages: the consumer must find its view in the registry. */
const types = protobuf.parse(
  `syntax = "proto3"; message Other { string word = 1; } message Inner { uint32 count = 1; }
   message Place { double lat = 1; double lng = 2; }
   message Seen { string user_id = 1; int64 at_ms = 2; repeated sint32 steps = 3; Place place = 4; }`,
  { keepCase: true },
).root;
const encode = (type: string, value: object): Uint8Array => types.lookupType(type).encode(value).finish();

/** @returns the schema's id */
async function register(
  subject: string,
  schema: string,
  references: readonly object[] = [],
): Promise<number> {
  const answer = await fetch(`${required('SCHEMA_REGISTRY_URL')}/subjects/${subject}/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schemaType: 'PROTOBUF', schema, references }),
  });
  const body: unknown = await answer.json();
  expect(body).toEqual({ id: expect.any(Number) });
  return Number(Object(body).id);
}

interface Line {
  readonly message?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly schema_id?: number;
}

/** Checks that the consumer that judges our wire format detects errors itself. */
describe('the independent consumer', () => {
  const topic = `foreign-${randomUUID()}`;
  const kafka = new Kafka({
    brokers: required('EVENT_LOG', 'kafka://').slice('kafka://'.length).split(','),
    logLevel: logLevel.ERROR,
  });
  const admin: Admin = kafka.admin();
  const producer: Producer = kafka.producer();
  const subjects = [`${topic}-value`, `${topic}-place`];
  let id = 0;

  /** Magic byte, schema id, then the message indexes of the case, then the Protobuf bytes. */
  const framed = (indexes: readonly number[], body: Uint8Array): Buffer => {
    const header = Buffer.alloc(5);
    header.writeInt32BE(id, 1);
    return Buffer.concat([header, Buffer.from(indexes), body]);
  };

  const read = async (count: number): Promise<{ code: number; lines: Line[] }> => {
    const args = [topic, '--max', String(count), '--seconds', '30'];
    const outcome = await promisify(execFile)(foreignConsumer, args).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    );
    const lines = outcome.stdout
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line));
    return { code: outcome.code, lines };
  };

  beforeAll(async () => {
    await Promise.all([admin.connect(), producer.connect()]);
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
    await register(subjects[1]!, placeFile);
    id = await register(subjects[0]!, seenFile, [
      { name: 'probe/place.proto', subject: subjects[1]!, version: 1 },
    ]);
  });

  afterAll(async () => {
    await admin.deleteTopics({ topics: [topic] });
    await Promise.all([admin.disconnect(), producer.disconnect()]);
    for (const subject of subjects) {
      const url = `${required('SCHEMA_REGISTRY_URL')}/subjects/${subject}`;
      await fetch(url, { method: 'DELETE' });
      // A subject that is only soft-deleted still counts as a reference.
      await fetch(`${url}?permanent=true`, { method: 'DELETE' });
    }
  });

  it('gets each message type from the registry: first, second, nested, imported', async () => {
    const seen = {
      user_id: 'u1',
      at_ms: 1_795_252_918_327,
      steps: [1, -2],
      place: { lat: 57.7, lng: 11.97 },
    };
    const messages = [
      { value: framed([0], encode('Other', { word: 'hi' })) },
      { value: framed([2, 2], encode('Seen', seen)) },
      { value: framed([4, 2, 0], encode('Inner', { count: 7 })) },
    ];
    await producer.send({ topic, messages });
    const { code, lines } = await read(3);
    expect(lines).toMatchObject([
      { schema_id: id, message: 'probe.seen.Other', value: { word: 'hi' } },
      { schema_id: id, message: 'probe.seen.Seen', value: { ...seen, at_ms: '1795252918327' } },
      { schema_id: id, message: 'probe.seen.Seen.Inner', value: { count: 7 } },
    ]);
    expect(code).toBe(0);
  });

  it('rejects a record without message indexes, and one whose schema is unknown', async () => {
    const body = encode('Other', { word: 'hi' });
    const unknown = framed([0], body);
    unknown.writeInt32BE(2_000_000_000, 1);
    await producer.send({ topic, messages: [{ value: framed([], body) }, { value: unknown }] });
    const { code, lines } = await read(5);
    expect(lines.map((line) => line.error !== undefined)).toEqual([false, false, false, true, true]);
    expect(code).toBe(1);
  });
});
