import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { protoText } from '#platform/wire/proto-files.js';
import type { SchemaRegistry } from '#platform/wire/schema-registry.js';
import { UndecodableRecord } from '#platform/wire/topic-codec.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { IncidentChanged, RouteChanged } from '#schemas/messages.js';
import * as contracts from '#schemas/topics.js';

const incident: IncidentChanged = {
  incidentId: 'i1',
  kind: 1,
  source: 2,
  active: true,
  tilesetId: 't1',
  edgeIds: ['5:1-2', '5:2-1'],
  speedKph: 0,
  startedMs: 1_790_000_000_123,
  expiresMs: 0,
  evidence: '',
  lastEvidenceMs: 1_790_000_000_000,
};

describe('topic codecs', () => {
  let folder: string;
  let registry: SchemaRegistry;
  let codecs: TopicCodecs;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'codecs-'));
    registry = await openSchemaRegistry(`embedded:${folder}`);
    codecs = await openTopicCodecs(registry);
  });
  afterAll(async () => {
    await registry.close();
    await rm(folder, { recursive: true });
  });

  it('has one codec for each topic, under the name of its contract', () => {
    const named = Object.entries(contracts).filter(([, value]) => 'partitions' in value);
    expect(Object.fromEntries(Object.entries(codecs).map(([name, codec]) => [name, codec.topic]))).toEqual(
      Object.fromEntries(named),
    );
    expect(named).toHaveLength(contracts.topics.length);
  });

  it('writes the whole Confluent header: magic byte, schema id, message index', async () => {
    const [id] = await registry.ids('traffic.incident.changed.v1-value');
    const value = Buffer.from(codecs.trafficIncidentChanged.encode(incident));
    expect(value[0]).toBe(0);
    expect(value.readUInt32BE(1)).toBe(id);
    expect(await registry.schema(id!)).toBe(protoText('traffic.proto'));
    const place = [...protoText('traffic.proto').matchAll(/^message (\w+)/gm)].findIndex(
      ([, name]) => name === 'IncidentChanged',
    );
    expect(place).toBeGreaterThan(0);
    expect([...value.subarray(5, 7)]).toEqual([0x02, place * 2]);
    const batch = Buffer.from(
      codecs.deadLetter.encode({
        group: 'g',
        topic: 't',
        partition: 1,
        offset: 2 ** 40,
        key: new Uint8Array([1]),
        value: new Uint8Array([2, 3]),
        cause: 'c',
        attempts: 3,
        failedMs: 1,
      }),
    );
    expect(batch[5]).toBe(0);
    expect(codecs.deadLetter.decode(batch)).toMatchObject({ offset: 2 ** 40, attempts: 3 });
  });

  it('returns plain objects with every field, as the message interfaces define', () => {
    const decoded = codecs.trafficIncidentChanged.decode(codecs.trafficIncidentChanged.encode(incident));
    expect(decoded).toEqual(incident);
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    const route: RouteChanged = {
      navigationId: 'n',
      userId: 'u',
      routeVersion: 2,
      metricVersion: 3,
      tilesetId: '',
      edgeIds: [],
      fromFraction: 0.5,
      toFraction: 1,
      polyline: '',
      durationS: 10,
      distanceM: 0,
      oldDurationS: Number.POSITIVE_INFINITY,
      reason: 'Stampgatan är stängd',
      evidence: '',
      causedMs: 1,
      decidedMs: 2,
      unreachable: true,
    };
    expect(codecs.navRouteChanged.decode(codecs.navRouteChanged.encode(route))).toEqual(route);
  });

  it('rejects an object that is not a message', () => {
    const wrong = { ...incident, startedMs: 'yesterday' } as unknown as IncidentChanged;
    expect(() => codecs.trafficIncidentChanged.encode(wrong)).toThrow(/startedMs/);
  });

  it('F12: rejects a poison value with a sentence', () => {
    const good = Buffer.from(codecs.trafficIncidentChanged.encode(incident));
    const poisoned: ReadonlyArray<readonly [string, Uint8Array, RegExp]> = [
      ['empty', Buffer.alloc(0), /0 bytes, too few/],
      ['header only', good.subarray(0, 5), /5 bytes, too few/],
      ['magic', withByte(good, 0, 1), /magic byte/],
      [
        'schema id',
        withByte(good, 4, 250),
        /schema 250, which is not a version of traffic\.incident\.changed\.v1-value/,
      ],
      [
        'message',
        withByte(good, 6, 2),
        /message 1 of its schema, not a meridian\.traffic\.v1\.IncidentChanged/,
      ],
      ['nested message', withByte(good, 5, 4), /nested/],
      ['truncated', good.subarray(0, good.length - 3), /The body is not a meridian/],
      [
        'garbage behind',
        Buffer.concat([good, Buffer.from([0xf2, 0x7f, 1, 2])]),
        /has fields that the schema/,
      ],
      ['text', Buffer.from('{"incidentId":"i1"}'), /magic byte/],
    ];
    for (const [name, value, sentence] of poisoned) {
      const decode = (): unknown => codecs.trafficIncidentChanged.decode(value);
      expect(decode, name).toThrow(UndecodableRecord);
      expect(decode, name).toThrow(sentence);
    }
  });

  it('reads records of a newer version of the subject after a query to the registry', async () => {
    const text = protoText('traffic.proto').replace(
      'int64 last_evidence_ms = 11;',
      'int64 last_evidence_ms = 11;\n  string added_later = 12;',
    );
    const id = await registry.register('traffic.incident.changed.v1-value', text);
    const value = Buffer.concat([
      Buffer.from(codecs.trafficIncidentChanged.encode(incident)),
      Buffer.from([0x62, 0x01, 0x41]),
    ]);
    value.writeUInt32BE(id, 1);
    expect(() => codecs.trafficIncidentChanged.decode(value)).toThrow(`schema ${id}`);
    expect(await codecs.trafficIncidentChanged.refresh()).toBe(true);
    expect(codecs.trafficIncidentChanged.decode(value)).toEqual(incident);
    expect(await codecs.trafficIncidentChanged.refresh()).toBe(false);
  });
});

function withByte(bytes: Uint8Array, at: number, byte: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = byte;
  return copy;
}
