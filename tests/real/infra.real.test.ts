import { randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { Client as CassandraClient } from 'cassandra-driver';
import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { Client as SqlClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { required } from '../contracts/required-variable.js';

const brokers = (): string[] => required('EVENT_LOG', 'kafka://').slice('kafka://'.length).split(',');

/**
 * Each server is used like by a client, at the address that `infra/up` printed: a wrong address fails here.
 */
describe('the real servers', () => {
  it('Kafka: a record sent with acks=all is in the topic', async () => {
    const kafka = new Kafka({ brokers: brokers(), logLevel: logLevel.NOTHING });
    const topic = `infra-${randomUUID()}`;
    const admin = kafka.admin();
    const producer = kafka.producer();
    await Promise.all([admin.connect(), producer.connect()]);
    try {
      expect(await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] })).toBe(true);
      await producer.send({ topic, acks: -1, messages: [{ key: 'a', value: 'b' }] });
      expect((await admin.fetchTopicOffsets(topic))[0]?.offset).toBe('1');
    } finally {
      await admin.deleteTopics({ topics: [topic] });
      await Promise.all([admin.disconnect(), producer.disconnect()]);
    }
  });

  it('Kafka: a topic that was not created is not created by mistake', async () => {
    const kafka = new Kafka({ brokers: brokers(), logLevel: logLevel.NOTHING, retry: { retries: 0 } });
    const admin = kafka.admin();
    await admin.connect();
    const topic = `missing-${randomUUID()}`;
    await expect(admin.fetchTopicMetadata({ topics: [topic] })).rejects.toThrow('does not host this topic');
    expect(await admin.listTopics()).not.toContain(topic);
    await admin.disconnect();
  });

  it('Cassandra: a statement is answered in the data centre of the address', async () => {
    const [, hosts = '', dc = ''] =
      /^([^/?]+)\/meridian\?dc=(.+)$/.exec(
        required('LOCATIONS', 'cassandra://').slice('cassandra://'.length),
      ) ?? [];
    const client = new CassandraClient({ contactPoints: hosts.split(','), localDataCenter: dc });
    const { rows } = await client.execute('SELECT release_version, data_center FROM system.local');
    await client.shutdown();
    expect(rows[0]?.['release_version']).toMatch(/^[45]\./);
  });

  it('the schema registry: the same schema gets the same id, and the id returns it', async () => {
    const url = required('SCHEMA_REGISTRY_URL');
    const subject = `${url}/subjects/infra-${randomUUID()}`;
    const body = JSON.stringify({
      schemaType: 'PROTOBUF',
      schema: 'syntax = "proto3"; message Probe { int64 at = 1; }',
    });
    const register = async (): Promise<number> => {
      const answer = await fetch(`${subject}/versions`, {
        method: 'POST',
        headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
        body,
      });
      const given: unknown = await answer.json();
      expect(given).toEqual({ id: expect.any(Number) });
      return Number(Object(given).id);
    };
    const first = await register();
    expect(await register()).toBe(first);
    const back = await fetch(`${url}/schemas/ids/${first}`);
    expect(await back.json()).toMatchObject({
      schemaType: 'PROTOBUF',
      schema: expect.stringContaining('Probe'),
    });
    await fetch(subject, { method: 'DELETE' });
  });

  it('the schema registry: rejects a change that readers cannot follow, without any setting', async () => {
    const subject = `${required('SCHEMA_REGISTRY_URL')}/subjects/infra-${randomUUID()}`;
    const register = async (type: string): Promise<number> => {
      const schema = `syntax = "proto3"; message Probe { ${type} at = 1; }`;
      const answer = await fetch(`${subject}/versions`, {
        method: 'POST',
        headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
        body: JSON.stringify({ schemaType: 'PROTOBUF', schema }),
      });
      return answer.status;
    };
    expect([await register('int64'), await register('string')]).toEqual([200, 409]);
    await fetch(subject, { method: 'DELETE' });
  });

  it('PostgreSQL: the role owns its database and commits are durable', async () => {
    const client = new SqlClient({ connectionString: required('SQL') });
    await client.connect();
    await client.query('CREATE TEMPORARY TABLE probe (at bigint)');
    const { rows } = await client.query<{ fsync: string; commit: string }>(
      "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
    );
    await client.end();
    expect(rows).toEqual([{ fsync: 'on', commit: 'on' }]);
  });

  it('the object store: an object that was put in the bucket is returned', async () => {
    const address = new URL(required('OBJECTS'));
    const client = new AwsClient({
      accessKeyId: required('AWS_ACCESS_KEY_ID'),
      secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
      region: address.searchParams.get('region') ?? 'us-east-1',
      service: 's3',
    });
    const object = `${address.searchParams.get('endpoint')}/${address.hostname}/infra-${randomUUID()}`;
    const put = await client.fetch(object, { method: 'PUT', body: 'bytes' });
    expect([put.status, await put.text()]).toEqual([200, '']);
    expect(await (await client.fetch(object)).text()).toBe('bytes');
    expect((await fetch(object)).status).toBe(403);
    expect((await client.fetch(object, { method: 'DELETE' })).status).toBe(204);
  });

  it('Redis: stores a key with an expiry', async () => {
    const redis = new Redis(required('CACHE'), { retryStrategy: () => null });
    const key = `infra-${randomUUID()}`;
    await redis.set(key, 'here', 'EX', 60);
    expect(await redis.get(key)).toBe('here');
    expect(await redis.ttl(key)).toBeGreaterThan(0);
    await redis.del(key);
    redis.disconnect();
  });
});
