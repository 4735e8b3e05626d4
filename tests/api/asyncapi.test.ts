import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { asyncApiDocument } from '#schemas/asyncapi.js';
import { topics } from '#schemas/topics.js';

const protoText = (file: string): string =>
  readFileSync(new URL(`../../schemas/proto/${file}`, import.meta.url), 'utf8');

/** The parser does not read Protobuf by itself; this schema parser rejects text that is not Protobuf. */
const parser = new Parser();
parser.registerSchemaParser({
  getMimeTypes: () => ['application/vnd.google.protobuf;version=3'],
  validate: () => [],
  parse: ({ data }) => {
    protobuf.parse(String(data));
    return { type: 'object' };
  },
});

const asyncApi = (proto: (file: string) => string): string =>
  JSON.stringify(
    asyncApiDocument({
      version: '1.2.3',
      socketHost: 'localhost:8080',
      socketProtocol: 'ws',
      kafkaHost: 'localhost:9092',
      protoText: proto,
    }),
  );

test('the AsyncAPI document is valid AsyncAPI 3.0, including its Protobuf schemas', async () => {
  const { document, diagnostics } = await parser.parse(asyncApi(protoText));
  expect(diagnostics.filter(({ severity }) => severity <= 1)).toEqual([]);
  expect(document).toBeDefined();
});

test('every topic is a channel, and the Protobuf text beside it defines its message', async () => {
  const { document } = await parser.parse(asyncApi(protoText));
  const addresses = document!.channels().map((channel) => channel.address());
  expect(addresses.toSorted()).toEqual([...topics.map(({ name }) => name), '/v1/nav/stream'].toSorted());
  for (const topic of topics) {
    const message = document!.allMessages().find((each) => each.name() === topic.proto.message);
    const type = protobuf.parse(protoText(topic.proto.file)).root.lookupType(topic.proto.message);
    expect(message?.title()).toBe(type.name);
  }
});

test('a document with a broken schema is refused', async () => {
  const { document, diagnostics } = await parser.parse(asyncApi(() => 'message {'));
  expect(document).toBeUndefined();
  expect(diagnostics.some(({ severity }) => severity === 0)).toBe(true);
});
