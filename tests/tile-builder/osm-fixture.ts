import { deflateSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import type { OsmMember, OsmSink } from '#schemas/osm-sink.js';

export interface FixtureNode {
  readonly id: number;
  readonly lng: number;
  readonly lat: number;
  readonly tags?: Readonly<Record<string, string>>;
}
export interface FixtureWay {
  readonly id: number;
  readonly refs: readonly number[];
  readonly tags: Readonly<Record<string, string>>;
}
export interface FixtureRelation {
  readonly id: number;
  readonly members: readonly OsmMember[];
  readonly tags: Readonly<Record<string, string>>;
}
export interface Fixture {
  readonly nodes: readonly FixtureNode[];
  readonly ways: readonly FixtureWay[];
  readonly relations?: readonly FixtureRelation[];
}

const tagMap = (tags: Readonly<Record<string, string>>): Map<string, string> => new Map(Object.entries(tags));

/** Sends a fixture directly into a sink, without bytes between. */
export function playFixture({ nodes, ways, relations = [] }: Fixture, sink: OsmSink): void {
  for (const { id, lng, lat, tags } of nodes)
    sink.node(id, Math.round(lng * 1e7), Math.round(lat * 1e7), tags && tagMap(tags));
  for (const { id, refs, tags } of ways) sink.way(id, refs, tagMap(tags));
  for (const { id, members, tags } of relations) sink.relation(id, members, tagMap(tags));
}

/** A complete `.osm.pbf` file, written from the format's specification and without code of the reader. */
export function encodePbf(fixture: Fixture, packed = true): Uint8Array {
  const header = new PbfWriter();
  header.writeStringField(4, 'OsmSchema-V0.6');
  header.writeStringField(4, 'DenseNodes');
  return Buffer.concat([
    blob('OSMHeader', header.finish(), packed),
    blob('OSMData', primitiveBlock(fixture), packed),
  ]);
}

export function blob(type: string, content: Uint8Array, packed: boolean): Uint8Array {
  const body = new PbfWriter();
  if (packed) {
    body.writeVarintField(2, content.length);
    body.writeBytesField(3, deflateSync(content));
  } else body.writeBytesField(1, content);
  const bodyBytes = body.finish();
  const header = new PbfWriter();
  header.writeStringField(1, type);
  header.writeVarintField(3, bodyBytes.length);
  const headerBytes = header.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headerBytes.length);
  return Buffer.concat([length, headerBytes, bodyBytes]);
}

export function primitiveBlock({ nodes, ways, relations = [] }: Fixture): Uint8Array {
  const strings = [''];
  const numberOf = (text: string): number => {
    const known = strings.indexOf(text);
    return known > 0 ? known : strings.push(text) - 1;
  };
  const group = new PbfWriter();
  group.writeMessage(
    2,
    (_, pbf) => {
      const deltas = (values: readonly number[]): number[] => values.map((v, i) => v - (values[i - 1] ?? 0));
      pbf.writePackedSVarint(1, deltas(nodes.map(({ id }) => id)));
      pbf.writePackedSVarint(8, deltas(nodes.map(({ lat }) => Math.round(lat * 1e7))));
      pbf.writePackedSVarint(9, deltas(nodes.map(({ lng }) => Math.round(lng * 1e7))));
      const keysValues = nodes.flatMap(({ tags = {} }) => [
        ...Object.entries(tags).flatMap(([key, value]) => [numberOf(key), numberOf(value)]),
        0,
      ]);
      pbf.writePackedVarint(10, keysValues);
    },
    undefined,
  );
  const writeTags = (pbf: PbfWriter, tags: Readonly<Record<string, string>>): void => {
    pbf.writePackedVarint(2, Object.keys(tags).map(numberOf));
    pbf.writePackedVarint(3, Object.values(tags).map(numberOf));
  };
  for (const { id, refs, tags } of ways)
    group.writeMessage(
      3,
      (_, pbf) => {
        pbf.writeVarintField(1, id);
        writeTags(pbf, tags);
        pbf.writePackedSVarint(
          8,
          refs.map((ref, i) => ref - (refs[i - 1] ?? 0)),
        );
      },
      undefined,
    );
  const types = { node: 0, way: 1, relation: 2 };
  for (const { id, members, tags } of relations)
    group.writeMessage(
      4,
      (_, pbf) => {
        pbf.writeVarintField(1, id);
        writeTags(pbf, tags);
        pbf.writePackedVarint(
          8,
          members.map(({ role }) => numberOf(role)),
        );
        pbf.writePackedSVarint(
          9,
          members.map(({ id: member }, i) => member - (members[i - 1]?.id ?? 0)),
        );
        pbf.writePackedVarint(
          10,
          members.map(({ type }) => types[type]),
        );
      },
      undefined,
    );
  const groupBytes = group.finish();
  const block = new PbfWriter();
  block.writeMessage(
    1,
    (_, pbf) => {
      for (const text of strings) pbf.writeBytesField(1, new TextEncoder().encode(text));
    },
    undefined,
  );
  block.writeBytesField(2, groupBytes);
  return block.finish();
}
