import { appendFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import type { OsmSink, Tags } from '#schemas/osm-sink.js';

/** Elements of a block, as all writers of extracts have it. */
const ELEMENTS_PER_BLOCK = 8_000;

const typeNumber = { node: 0, way: 1, relation: 2 } as const;

/**
 * Writes what it is given as an `.osm.pbf`; `end` writes the rest. Nodes, ways and relations come in this
 * order.
 */
export class PbfFile {
  readonly #file: string;
  #group = new PbfWriter();
  #strings = new Map<string, number>([['', 0]]);
  #count = 0;
  #nodes: { id: number; lat: number; lng: number; tags: Tags | undefined }[] = [];

  constructor(file: string) {
    this.#file = file;
    const header = new PbfWriter();
    header.writeStringField(4, 'OsmSchema-V0.6');
    header.writeStringField(4, 'DenseNodes');
    writeFileSync(file, blob('OSMHeader', header.finish()));
  }

  readonly sink: OsmSink = {
    node: (id, lng, lat, tags) => {
      this.#nodes.push({ id, lng, lat, tags });
      if (this.#nodes.length === ELEMENTS_PER_BLOCK) this.#flush();
    },
    way: (id, refs, tags) => {
      this.#closeNodes();
      this.#group.writeMessage(
        3,
        (_, pbf) => {
          pbf.writeVarintField(1, id);
          this.#writeTags(pbf, tags);
          pbf.writePackedSVarint(8, deltas(refs));
        },
        undefined,
      );
      this.#counted();
    },
    relation: (id, members, tags) => {
      this.#closeNodes();
      this.#group.writeMessage(
        4,
        (_, pbf) => {
          pbf.writeVarintField(1, id);
          this.#writeTags(pbf, tags);
          pbf.writePackedVarint(
            8,
            members.map(({ role }) => this.#numberOf(role)),
          );
          pbf.writePackedSVarint(9, deltas(members.map((member) => member.id)));
          pbf.writePackedVarint(
            10,
            members.map(({ type }) => typeNumber[type]),
          );
        },
        undefined,
      );
      this.#counted();
    },
  };

  end(): void {
    this.#flush();
  }

  #counted(): void {
    if (++this.#count === ELEMENTS_PER_BLOCK) this.#flush();
  }

  #numberOf(text: string): number {
    let number = this.#strings.get(text);
    if (number === undefined) {
      number = this.#strings.size;
      this.#strings.set(text, number);
    }
    return number;
  }

  #writeTags(pbf: PbfWriter, tags: Tags): void {
    pbf.writePackedVarint(
      2,
      [...tags.keys()].map((key) => this.#numberOf(key)),
    );
    pbf.writePackedVarint(
      3,
      [...tags.values()].map((value) => this.#numberOf(value)),
    );
  }

  #closeNodes(): void {
    if (this.#nodes.length > 0) this.#flush();
  }

  #flush(): void {
    const nodes = this.#nodes;
    if (nodes.length > 0)
      this.#group.writeMessage(
        2,
        (_, pbf) => {
          pbf.writePackedSVarint(1, deltas(nodes.map(({ id }) => id)));
          pbf.writePackedSVarint(8, deltas(nodes.map(({ lat }) => lat)));
          pbf.writePackedSVarint(9, deltas(nodes.map(({ lng }) => lng)));
          const pairs = nodes.flatMap(({ tags }) => [
            ...[...(tags ?? [])].flatMap(([key, value]) => [this.#numberOf(key), this.#numberOf(value)]),
            0,
          ]);
          pbf.writePackedVarint(10, pairs);
        },
        undefined,
      );
    else if (this.#count === 0) return;
    const group = this.#group.finish();
    const block = new PbfWriter();
    block.writeMessage(
      1,
      (_, pbf) => {
        for (const text of this.#strings.keys()) pbf.writeStringField(1, text);
      },
      undefined,
    );
    block.writeBytesField(2, group);
    appendFileSync(this.#file, blob('OSMData', block.finish()));
    this.#group = new PbfWriter();
    this.#strings = new Map([['', 0]]);
    this.#nodes = [];
    this.#count = 0;
  }
}

const deltas = (values: readonly number[]): number[] =>
  values.map((value, i) => value - (values[i - 1] ?? 0));

function blob(type: string, content: Uint8Array): Uint8Array {
  const body = new PbfWriter();
  body.writeVarintField(2, content.length);
  body.writeBytesField(3, deflateSync(content));
  const bytes = body.finish();
  const header = new PbfWriter();
  header.writeStringField(1, type);
  header.writeVarintField(3, bytes.length);
  const headerBytes = header.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headerBytes.length);
  return Buffer.concat([length, headerBytes, bytes]);
}
