import { Type } from 'typebox';
import { logLevels } from '#platform/telemetry/logger.js';
import { tlsSettings } from './listener-tls.js';
import { paymentSettings } from './payment-settings.js';
import { plainSettings } from './server-addresses.js';
import type { ConfigOf, Settings } from './setting.js';
import { address, count, httpUrl, path, port, publicUrl } from './setting-shapes.js';
import { signInSettings } from './sign-in-settings.js';
import { tracingSettings } from './tracing-settings.js';

const namedDatabase = '[a-z][a-z0-9-]{0,31}=(?:postgres|postgresql|embedded):[^ ]+';

/** Every key of the environment that some program reads. Other keys with our prefix are refused. */
export const settings = {
  HOST: {
    schema: Type.String({ minLength: 1, maxLength: 253 }),
    fallback: '127.0.0.1',
    doc: 'Address that the public listener binds to.',
  },
  INTERNAL_HOST: {
    schema: Type.String({ minLength: 1, maxLength: 253 }),
    fallback: '127.0.0.1',
    doc: 'Address that the staff listener binds to, for staff, finance and /metrics; independent of HOST.',
  },
  PORT: { schema: port, fallback: '8080', doc: 'Port of the public listener; 0 takes a free port.' },
  INTERNAL_PORT: { schema: port, fallback: '8081', doc: 'Port of the staff listener; 0 takes a free port.' },
  ...tlsSettings,
  PUBLIC_URL: {
    schema: publicUrl,
    doc:
      'Address of the public listener for its clients, such as https://maps.example, when a proxy is in ' +
      'front or the listener has another name. Default: the Host field of each request.',
  },
  TRUSTED_PROXIES: {
    schema: Type.String({ pattern: '^[0-9A-Fa-f.:/, ]*$', maxLength: 4_096 }),
    fallback: '',
    doc:
      'Addresses or ranges (10.0.0.0/8), joined by commas, of the proxies whose X-Forwarded-For, -Proto ' +
      'and -Prefix are believed.',
  },
  HTTP_SERVER: {
    schema: Type.Union([Type.Literal('auto'), Type.Literal('uws'), Type.Literal('node')]),
    fallback: 'auto',
    doc:
      'HTTP server: uws (uWebSockets.js), node (node:http), or auto: uws if it loads and TRUSTED_PROXIES ' +
      'is empty, else node.',
  },
  MERIDIAN_DATA: { schema: path, fallback: './data', doc: 'Folder of all embedded stores.' },
  EVENT_LOG: {
    schema: address('kafka', 'embedded'),
    doc: 'Event log: kafka://host:port,host:port or embedded:FOLDER. Default: embedded under MERIDIAN_DATA.',
  },
  LOCATIONS: {
    schema: address('cassandra', 'lmdb'),
    doc: 'Location store: cassandra://host:port/keyspace or lmdb:FOLDER. Default: lmdb under MERIDIAN_DATA.',
  },
  CACHE: {
    schema: address('redis', 'rediss', 'memory'),
    fallback: 'memory:',
    doc: 'Live cache: redis://host:port, rediss://host:port (TLS) or memory:.',
  },
  SQL: {
    schema: address('postgres', 'postgresql', 'embedded'),
    doc:
      'SQL store: postgres://user:password@host/database or embedded:FOLDER. ' +
      'Default: embedded under MERIDIAN_DATA.',
  },
  HOTEL_SHARDS: {
    schema: Type.String({
      pattern: `^${namedDatabase}(?: ${namedDatabase})*$`,
      maxLength: 32_768,
    }),
    secret: true,
    doc:
      'More servers for hotels, beside SQL, which is called main: NAME=ADDRESS, joined by blanks. ' +
      'meridian hotel move brings hotels there.',
  },
  OBJECTS: {
    schema: address('s3', 'dir'),
    doc:
      'Object store: s3://bucket?endpoint=URL&region=NAME or dir:FOLDER. ' +
      'Default: a folder under MERIDIAN_DATA.',
  },
  MAIL: {
    schema: address('smtp', 'smtps', 's3', 'dir'),
    secret: true,
    doc:
      'Mail to buyers and guests: smtps://user:password@host, smtp://…?requireTLS=true, or an object ' +
      'store. Default: a folder under MERIDIAN_DATA for buyers, and no receipts to guests.',
  },
  MAIL_FROM: {
    schema: Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 320 }),
    fallback: 'payments@meridian.invalid',
    doc: 'Sender of that mail.',
  },
  AWS_ACCESS_KEY_ID: { schema: path, secret: true, doc: 'Key of the object store, when it is S3.' },
  AWS_SECRET_ACCESS_KEY: { schema: path, secret: true, doc: 'Secret of that key.' },
  SCHEMA_REGISTRY_URL: {
    schema: httpUrl,
    doc: 'Confluent-compatible schema registry; needed when EVENT_LOG is Kafka.',
  },
  ...signInSettings,
  ...paymentSettings,
  ...tracingSettings,
  ...plainSettings,
  WEBHOOK_SECRETS: {
    schema: Type.String({ pattern: '^[^,\\s]{16,}(?:,[^,\\s]{16,})?$', maxLength: 512 }),
    secret: true,
    doc: 'One secret, or two joined by a comma during a rotation, each of at least 16 characters.',
  },
  GUEST_DATA_KEYS: {
    schema: Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=){0,4}$',
      maxLength: 256,
    }),
    secret: true,
    doc:
      'Master keys of guests’ personal data: 32 bytes in base64, the newest first, up to five joined by ' +
      'commas. Default: a file under MERIDIAN_DATA, not in production.',
  },
  OPERATOR_LISTENER: {
    schema: Type.Union([Type.Literal('both'), Type.Literal('internal')]),
    fallback: 'both',
    doc: 'Listeners on which operators add and change hotels: both, or internal only.',
  },
  INVENTORY_GUARD: {
    schema: Type.Union([Type.Literal('row_locks'), Type.Literal('version'), Type.Literal('constraint')]),
    fallback: 'row_locks',
    doc: 'What prevents overbooking by concurrent requests: row_locks, version or constraint (ADR 0060).',
  },
  CORS_ORIGINS: {
    schema: Type.String({ maxLength: 4_096 }),
    fallback: '',
    doc: 'Origins of other pages that may call the public listener, joined by commas.',
  },
  LOG_LEVEL: {
    schema: Type.Union(logLevels.map((level) => Type.Literal(level))),
    fallback: 'info',
    doc: `Least level that is logged: ${logLevels.join(', ')}.`,
  },
  PID_FILE: { schema: path, doc: 'File that holds the process id while the program runs.' },
  DRAIN_MS: {
    schema: count(9_000),
    fallback: '6000',
    doc: 'Milliseconds in which work may finish after SIGTERM, at most 9000; a second later it is killed.',
  },
  INFLIGHT_MAX: { schema: count(100_000), fallback: '1024', doc: 'Requests handled at the same time.' },
  TURN_BUDGET_MS: {
    schema: count(10_000),
    fallback: '25',
    doc: 'CPU milliseconds of an event-loop turn after which all but its first eight requests are shed.',
  },
  RATE_PER_USER: { schema: count(1_000_000), fallback: '6000', doc: 'Requests per user and minute.' },
  RATE_PER_ADDRESS: {
    schema: count(1_000_000),
    fallback: '6000',
    doc: 'Requests without a token per address and minute.',
  },
  API_KEYS: {
    schema: Type.Union([Type.Literal('off'), Type.Literal('optional'), Type.Literal('required')]),
    fallback: 'off',
    doc:
      'API keys of customers on the public listener (docs/api-keys.md): off, optional, or required for ' +
      'navigation, geocoding, map, traffic and locations without a token.',
  },
  TRAFFIC_DRIVERS_MIN: {
    schema: count(100),
    fallback: '5',
    doc: 'Least number of distinct drivers behind a published speed; fewer could reveal a single person.',
  },
  BATCHES_PER_USER: {
    schema: count(10_000_000),
    fallback: '600',
    doc: 'Location batches per user and minute.',
  },
  BOOKINGS_PER_USER: {
    schema: count(1_000_000),
    fallback: '120',
    doc: 'Calls per user and minute that reserve, change or cancel.',
  },
  ROUTING_THREADS: {
    schema: count(256),
    doc: 'Worker threads that search routes. Default: one less than the cores.',
  },
  RETENTION_DAYS: {
    schema: count(3_650),
    fallback: '30',
    doc: 'Days that the location store keeps raw locations.',
  },
} as const satisfies Settings;

export type Config = ConfigOf<typeof settings>;
