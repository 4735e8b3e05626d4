import { PbfReader } from 'pbf';
import type { OsmMember, OsmSink, Tags } from '#schemas/osm-sink.js';
import { isElementId } from './element-id.js';
import { limits } from './limits.js';
import { VarintColumn } from './varint-column.js';

/** Coordinates of a block are `offset + granularity · value` in units of 1e-9 degrees. */
interface Block {
  readonly strings: readonly string[];
  /** By key and value in one number. */
  readonly singleTags: Map<number, Tags>;
  granularity: number;
  latOffset: number;
  lngOffset: number;
}

/** Decodes one PrimitiveBlock. Throws when a count, an index or a coordinate is out of range. */
export function readPbfBlock(bytes: Uint8Array, sink: OsmSink): void {
  const pbf = new PbfReader(bytes);
  const strings: string[] = [];
  const groups: number[] = [];
  const block: Block = { strings, singleTags: new Map(), granularity: 100, latOffset: 0, lngOffset: 0 };
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field === 1) {
      const end = messageEnd(pbf);
      while (pbf.pos < end) {
        if (pbf.readVarint() !== 10) throw new Error('odd string table');
        strings.push(pbf.readString());
      }
    } else if (field === 2) {
      const end = messageEnd(pbf);
      groups.push(pbf.pos, end);
      pbf.pos = end;
    } else if (field === 17) block.granularity = pbf.readVarint();
    else if (field === 19) block.latOffset = pbf.readVarint(true);
    else if (field === 20) block.lngOffset = pbf.readVarint(true);
  }
  if (pbf.pos > bytes.length) throw new Error('it ends too early');
  for (let i = 0; i < groups.length; i += 2) {
    pbf.pos = groups[i]!;
    const end = groups[i + 1]!;
    for (let field = pbf.nextField(end); field !== 0; field = pbf.nextField(end)) {
      if (field === 1) readNode(pbf, block, sink);
      else if (field === 2) readDenseNodes(pbf, block, sink);
      else if (field === 3) readWay(pbf, block, sink);
      else if (field === 4) readRelation(pbf, block, sink);
    }
  }
}

function messageEnd(pbf: PbfReader): number {
  const end = pbf.readVarint() + pbf.pos;
  if (end > pbf.length) throw new Error('it ends too early');
  return end;
}

const WIRE_BYTES = 2;

/** A column of numbers, packed or a single one. */
function packed(pbf: PbfReader, messageEnd: number, zigzag: boolean): number[] {
  if (pbf.type === WIRE_BYTES) {
    const start = pbf.pos;
    const end = pbf.readVarint() + pbf.pos;
    if (end > messageEnd) throw new Error('a column that ends too late');
    if (end - pbf.pos > limits.columnBytesMax) throw new Error('a column of more numbers than a map has');
    pbf.pos = start;
  }
  return zigzag ? pbf.readPackedSVarint() : pbf.readPackedVarint();
}

function checkedId(id: number): number {
  if (!isElementId(id)) throw new Error('an element whose id has more than fifteen digits');
  return id;
}

const e7 = (offset: number, granularity: number, value: number, bound: number): number => {
  const scaled = Math.round((offset + granularity * value) / 100);
  if (!(Math.abs(scaled) <= bound)) throw new Error('a coordinate that is not on earth');
  return scaled;
};

function readNode(pbf: PbfReader, block: Block, sink: OsmSink): void {
  const end = messageEnd(pbf);
  let id = 0;
  let lat = 0;
  let lng = 0;
  let keys: number[] = [];
  let values: number[] = [];
  for (let field = pbf.nextField(end); field !== 0; field = pbf.nextField(end)) {
    if (field === 1) id = checkedId(pbf.readSVarint());
    else if (field === 2) keys = packed(pbf, end, false);
    else if (field === 3) values = packed(pbf, end, false);
    else if (field === 8) lat = pbf.readSVarint();
    else if (field === 9) lng = pbf.readSVarint();
  }
  sink.node(
    id,
    e7(block.lngOffset, block.granularity, lng, 1_800_000_000),
    e7(block.latOffset, block.granularity, lat, 900_000_000),
    keys.length === 0 ? undefined : tagsOf(block, keys, values),
  );
}

/**
 * Dense nodes in columns, which are read in parallel: only the tags of the few tagged nodes are allocated.
 */
function readDenseNodes(pbf: PbfReader, block: Block, sink: OsmSink): void {
  const end = messageEnd(pbf);
  const ids = new VarintColumn();
  const lats = new VarintColumn();
  const lngs = new VarintColumn();
  const keysValues = new VarintColumn();
  for (let field = pbf.nextField(end); field !== 0; field = pbf.nextField(end)) {
    if (field === 1) ids.open(pbf, end);
    else if (field === 8) lats.open(pbf, end);
    else if (field === 9) lngs.open(pbf, end);
    else if (field === 10) keysValues.open(pbf, end);
  }
  if (pbf.pos > end) throw new Error('it ends too early');
  let id = 0;
  let lat = 0;
  let lng = 0;
  while (ids.hasMore()) {
    id = checkedId(id + ids.signed());
    lat += lats.signed();
    lng += lngs.signed();
    const key = keysValues.hasMore() ? keysValues.unsigned() : 0;
    sink.node(
      id,
      e7(block.lngOffset, block.granularity, lng, 1_800_000_000),
      e7(block.latOffset, block.granularity, lat, 900_000_000),
      key === 0 ? undefined : denseTags(block, key, keysValues),
    );
  }
  if (lats.hasMore() || lngs.hasMore()) throw new Error('node columns of different length');
}

/** Pairs of key and value up to a 0, or to the end of the column. */
function denseTags(block: Block, firstKey: number, keysValues: VarintColumn): Tags {
  const keys: number[] = [];
  const values: number[] = [];
  for (let key = firstKey; key !== 0; key = keysValues.hasMore() ? keysValues.unsigned() : 0) {
    keys.push(key);
    values.push(keysValues.unsigned());
  }
  return tagsOf(block, keys, values);
}

function readWay(pbf: PbfReader, block: Block, sink: OsmSink): void {
  const end = messageEnd(pbf);
  let id = 0;
  let keys: number[] = [];
  let values: number[] = [];
  let refs: number[] = [];
  for (let field = pbf.nextField(end); field !== 0; field = pbf.nextField(end)) {
    if (field === 1) id = checkedId(pbf.readVarint(true));
    else if (field === 2) keys = packed(pbf, end, false);
    else if (field === 3) values = packed(pbf, end, false);
    else if (field === 8) refs = packed(pbf, end, true);
  }
  if (pbf.pos > end) throw new Error('a way that ends too early');
  for (let i = 1; i < refs.length; i++) refs[i]! += refs[i - 1]!;
  sink.way(id, refs, tagsOf(block, keys, values));
}

const memberTypes = ['node', 'way', 'relation'] as const;

function readRelation(pbf: PbfReader, block: Block, sink: OsmSink): void {
  const end = messageEnd(pbf);
  let id = 0;
  let keys: number[] = [];
  let values: number[] = [];
  let roles: number[] = [];
  let members: number[] = [];
  let types: number[] = [];
  for (let field = pbf.nextField(end); field !== 0; field = pbf.nextField(end)) {
    if (field === 1) id = checkedId(pbf.readVarint(true));
    else if (field === 2) keys = packed(pbf, end, false);
    else if (field === 3) values = packed(pbf, end, false);
    else if (field === 8) roles = packed(pbf, end, false);
    else if (field === 9) members = packed(pbf, end, true);
    else if (field === 10) types = packed(pbf, end, false);
  }
  if (pbf.pos > end || roles.length !== members.length || types.length !== members.length)
    throw new Error('relation columns of different length');
  let memberId = 0;
  const list: OsmMember[] = members.map((delta, i) => {
    memberId += delta;
    const type = memberTypes[types[i]!];
    if (type === undefined) throw new Error('a relation member of no known type');
    return { type, id: memberId, role: stringAt(block, roles[i]!) };
  });
  sink.relation(id, list, tagsOf(block, keys, values));
}

/** Elements of a block that have the same single tag, such as houses, share one object. */
function tagsOf(block: Block, keys: readonly number[], values: readonly number[]): Tags {
  if (keys.length !== values.length) throw new Error('tag columns of different length');
  if (keys.length > 1) return newTags(block, keys, values);
  const pair = keys.length === 0 ? -1 : keys[0]! * 2 ** 26 + values[0]!;
  let tags = block.singleTags.get(pair);
  if (tags === undefined) {
    tags = newTags(block, keys, values);
    block.singleTags.set(pair, tags);
  }
  return tags;
}

function newTags(block: Block, keys: readonly number[], values: readonly number[]): Tags {
  const tags = new Map<string, string>();
  for (let i = 0; i < keys.length; i++) tags.set(stringAt(block, keys[i]!), stringAt(block, values[i]!));
  return tags;
}

function stringAt(block: Block, index: number): string {
  const text = block.strings[index];
  if (text === undefined) throw new Error('a string that is not in the table');
  return text;
}
