import type { TSchema } from 'typebox';
import * as frames from './nav-stream.js';
import { type TopicContract, topics } from './topics.js';

export interface AsyncApiOptions {
  readonly version: string;
  /** Address of the socket, `host:port`. */
  readonly socketHost: string;
  readonly socketProtocol: 'ws' | 'wss';
  /** In front of the paths of sockets, where a proxy serves them below a prefix. */
  readonly socketPath?: string;
  /** Address of Kafka, `host:port`; absent for the embedded event log. */
  readonly kafkaHost?: string;
  /** Text of a file below `schemas/proto/`. */
  readonly protoText: (file: string) => string;
}

const protobufFormat = 'application/vnd.google.protobuf;version=3';

const clientFrames: Readonly<Record<string, TSchema>> = {
  hello: frames.ClientHello,
  start: frames.ClientStart,
  position: frames.ClientPosition,
  resume: frames.ClientResume,
  end: frames.ClientEnd,
  ping: frames.ClientPing,
};
const serverFrames: Readonly<Record<string, TSchema>> = {
  ready: frames.ServerReady,
  started: frames.ServerStarted,
  reroute: frames.ServerReroute,
  unreachable: frames.ServerUnreachable,
  ended: frames.ServerEnded,
  pong: frames.ServerPong,
  error: frames.ServerError,
};

/**
 * Channel names of AsyncAPI allow no slash or brace in `$ref`, so topics use their own name and the socket
 * uses this.
 */
const socketChannel = 'navStream';

const retentionConfiguration = ({ retention }: TopicContract): object =>
  retention.policy === 'compact'
    ? { 'cleanup.policy': ['compact'] }
    : {
        'cleanup.policy': ['delete'],
        'retention.ms': retention.ageMs,
        'retention.bytes': retention.bytesPerPartition,
      };

const topicChannel = (topic: TopicContract): object => ({
  address: topic.name,
  description: `${topic.summary} Written by ${topic.owner}.`,
  messages: { record: { $ref: `#/components/messages/${topic.name}` } },
  bindings: {
    kafka: {
      topic: topic.name,
      partitions: topic.partitions,
      replicas: 1,
      topicConfiguration: retentionConfiguration(topic),
    },
  },
});

const topicMessage = (topic: TopicContract, protoText: string): object => ({
  name: topic.proto.message,
  title: topic.proto.message.split('.').at(-1),
  summary: topic.summary,
  description:
    'Confluent wire format: 0x00, schema id as 4 bytes big-endian, message index, ' +
    `then ${topic.proto.message}.`,
  contentType: 'application/vnd.google.protobuf',
  payload: { schemaFormat: protobufFormat, schema: protoText },
  bindings: { kafka: { key: { type: 'string', description: `The ${topic.key}.` } } },
});

const frameMessage = (name: string, schema: TSchema): object => ({
  name,
  contentType: 'application/json',
  // The round trip drops TypeBox's additions to the JSON Schema.
  payload: JSON.parse(JSON.stringify(schema)) as object,
});

const frameNames = (side: 'client' | 'server', table: Readonly<Record<string, TSchema>>): string[] =>
  Object.keys(table).map((name) => `${side}-${name}`);

/**
 * AsyncAPI 3.0 of every topic and of the navigation socket, derived from the same values that the programs
 * use.
 */
export function asyncApiDocument(options: AsyncApiOptions): object {
  const socketMessages = [...frameNames('client', clientFrames), ...frameNames('server', serverFrames)];
  const onSocket = (names: readonly string[]): object[] =>
    names.map((name) => ({ $ref: `#/channels/${socketChannel}/messages/${name}` }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Meridian events',
      version: options.version,
      description: 'Topics of the event log and frames of the navigation socket.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      socket: {
        host: options.socketHost,
        protocol: options.socketProtocol,
        ...(options.socketPath ? { pathname: options.socketPath } : {}),
      },
      ...(options.kafkaHost === undefined ? {} : { log: { host: options.kafkaHost, protocol: 'kafka' } }),
    },
    channels: {
      ...Object.fromEntries(topics.map((topic) => [topic.name, topicChannel(topic)])),
      [socketChannel]: {
        address: frames.navStreamPath,
        description:
          `WebSocket, subprotocol ${frames.navStreamSubprotocol}; ` +
          `first frame \`hello\` unless the upgrade carried a bearer token.`,
        servers: [{ $ref: '#/servers/socket' }],
        messages: Object.fromEntries(
          socketMessages.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      ...Object.fromEntries(
        topics.map((topic) => [
          `publish-${topic.name}`,
          {
            action: 'send',
            summary: topic.summary,
            channel: { $ref: `#/channels/${topic.name}` },
            messages: [{ $ref: `#/channels/${topic.name}/messages/record` }],
          },
        ]),
      ),
      'receive-client-frames': {
        action: 'receive',
        channel: { $ref: `#/channels/${socketChannel}` },
        messages: onSocket(frameNames('client', clientFrames)),
      },
      'send-server-frames': {
        action: 'send',
        channel: { $ref: `#/channels/${socketChannel}` },
        messages: onSocket(frameNames('server', serverFrames)),
      },
    },
    components: {
      messages: {
        ...Object.fromEntries(
          topics.map((topic) => [topic.name, topicMessage(topic, options.protoText(topic.proto.file))]),
        ),
        ...Object.fromEntries(
          Object.entries(clientFrames).map(([name, schema]) => [
            `client-${name}`,
            frameMessage(name, schema),
          ]),
        ),
        ...Object.fromEntries(
          Object.entries(serverFrames).map(([name, schema]) => [
            `server-${name}`,
            frameMessage(name, schema),
          ]),
        ),
      },
    },
  };
}
