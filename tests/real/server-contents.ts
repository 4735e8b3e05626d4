import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import cassandra from 'cassandra-driver';
import { Redis } from 'ioredis';
import { type IHeaders, Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { clusterOf } from '#platform/location-store/open-location-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { required } from '../contracts/required-variable.js';

/** Everything that a server holds, piece by piece, as text in which every byte is a character. */
export type Read = (see: (piece: string) => void) => Promise<void>;
export const latin1 = (bytes: Uint8Array | string | null | undefined): string =>
  bytes === null || bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');
const headersOf = (headers: IHeaders | undefined): string =>
  Object.entries(headers ?? {})
    .flatMap(([name, value]) => [name, ...[value].flat().map((one) => latin1(one))])
    .join(' ');

export const kafka = new Kafka({
  brokers: required('EVENT_LOG', 'kafka://').slice('kafka://'.length).split(','),
  logLevel: logLevel.ERROR,
});
export const readTopics: Read = async (see) => {
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => !name.startsWith('__'));
  const ends = new Map<string, number>();
  for (const topic of topics)
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) ends.set(`${topic}/${partition}`, Number(high));
  await admin.disconnect();
  const consumer = kafka.consumer({ groupId: `card-data-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    consumer
      .run({
        eachBatch: ({ batch }) => {
          for (const { key, value, headers } of batch.messages)
            see(`${latin1(key)} ${latin1(value)} ${headersOf(headers)}`);
          const place = `${batch.topic}/${batch.partition}`;
          if (Number(batch.lastOffset()) + 1 >= (ends.get(place) ?? 0)) ends.delete(place);
          if (ends.size === 0) resolve();
          return Promise.resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
};
export const readTables: Read = async (see) => {
  const client = new pg.Client({ connectionString: required('SQL', 'postgres') });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables) {
    // As text and, for bytes, as the bytes themselves.
    const { rows } = await client.query<{ row: string }>({ text: `SELECT t::text AS row FROM ${name} t` });
    for (const { row } of rows)
      see(row.replaceAll(/\\+x([0-9a-f]+)/g, (_, hex: string) => latin1(Buffer.from(hex, 'hex'))));
  }
  await client.end();
};
export const readCache: Read = async (see) => {
  const redis = new Redis(required('CACHE', 'redis'));
  for await (const keys of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>)
    for (const key of keys) see(`${key} ${latin1((await redis.dumpBuffer(key)) ?? undefined)}`);
  redis.disconnect();
};
const locations = () => clusterOf(required('LOCATIONS', 'cassandra://'), 1);
export async function openCassandra(): Promise<cassandra.Client> {
  const { contactPoints, port, localDataCenter, keyspace, credentials, tls } = locations();
  const client = new cassandra.Client({
    contactPoints: [...contactPoints],
    protocolOptions: { port },
    localDataCenter,
    keyspace,
    ...(credentials === undefined ? {} : { credentials }),
    ...(tls === undefined ? {} : { sslOptions: { ...tls, rejectUnauthorized: true } }),
  });
  await client.connect();
  return client;
}
/** Bytes as they are, anything else as the text of the driver; also what is inside collections. */
const cellOf = (value: unknown): string => {
  if (value instanceof Uint8Array) return latin1(value);
  if (Array.isArray(value)) return value.map((one) => cellOf(one)).join(' ');
  // The driver has maps as plain objects.
  const isMap =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isMap
    ? Object.entries(value)
        .map(([name, one]) => `${name} ${cellOf(one)}`)
        .join(' ')
    : String(value);
};
export const readLocations: Read = async (see) => {
  const client = await openCassandra();
  const { rows: tables } = await client.execute(
    'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
    [locations().keyspace],
    { prepare: true },
  );
  for (const { table_name: table } of tables) {
    // One page is held at a time.
    const options = { prepare: true, fetchSize: 1_000 };
    for await (const row of await client.execute(`SELECT * FROM "${String(table)}"`, [], options))
      see(
        row
          .values()
          .map((value) => cellOf(value))
          .join(' '),
      );
  }
  await client.shutdown();
};
export const openObjects = () =>
  openObjectStore(required('OBJECTS', 's3://'), {
    credentials: {
      accessKeyId: required('AWS_ACCESS_KEY_ID'),
      secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
    },
  });
/** A bucket of many runs is read up to here, which fails instead of leaving the rest unread in silence. */
const objectsMax = 50_000;
export const readObjects: Read = async (see) => {
  const objects = await openObjects();
  let read = 0;
  for await (const key of objects.list('')) {
    if (++read > objectsMax) throw new Error(`The bucket has more than ${objectsMax} objects.`);
    // Another program may have deleted it meanwhile.
    see(`${key} ${latin1(await objects.get(key))}`);
  }
  await objects.close();
};

/** Overlap of two pieces of a file: more than a number with separators. */
const overlap = 64;
/** Every file below the folder but those in a folder of this name, a mebibyte at a time. */
export const filesBelow =
  (folder: string, without?: string): Read =>
  async (see) => {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || (without !== undefined && entry.parentPath.includes(without))) continue;
      let end = '';
      try {
        const path = join(entry.parentPath, entry.name);
        for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
          see(end + String(chunk));
          end = String(chunk).slice(-overlap);
        }
      } catch (error) {
        // A server that runs deletes files of its own.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  };
