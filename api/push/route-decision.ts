import { UndecodableRecord } from '#platform/wire/topic-codec.js';

/**
 * A decision of the group `reroute` (`meridian.nav.v1.RouteChanged`) as the gateway reads it: what it decides by is decoded,
 * the long texts stay bytes of the record, since most of them only go on to one socket.
 */
export interface RouteDecision {
  readonly navigationId: string;
  readonly userId: string;
  readonly routeVersion: number;
  readonly metricVersion: number;
  readonly tilesetId: string;
  readonly durationS: number;
  readonly distanceM: number;
  readonly oldDurationS: number;
  readonly causedMs: number;
  readonly decidedMs: number;
  /** The Protobuf body, valid as long as its record. */
  readonly body: Buffer;
  readonly polyline: Span;
  readonly reason: Span;
  readonly evidence: Span;
  /** Stretches of the body with the names of the edges in order, each name behind its field number and its length. */
  readonly edges: readonly Span[];
}

/** Bytes of the body from `from` to before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const varint = 0;
const fixed64 = 1;
const delimited = 2;
const fixed32 = 5;

const nothing: Span = { from: 0, to: 0 };

/** Field number and wire type in front of each edge. */
const edgeKey = (6 << 3) | delimited;

/** Throws `UndecodableRecord` for bytes that are no Protobuf message. Fields that are not known are passed over. */
export function readDecision(bytes: Uint8Array): RouteDecision {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = new Fields(body);
  const edges: Span[] = [];
  let navigationId = '';
  let userId = '';
  let tilesetId = '';
  let routeVersion = 0;
  let metricVersion = 0;
  let causedMs = 0;
  let decidedMs = 0;
  let durationS = 0;
  let distanceM = 0;
  let oldDurationS = 0;
  let polyline = nothing;
  let reason = nothing;
  let evidence = nothing;
  while (fields.next()) {
    // The numbers are those of schemas/proto; wire types that do not fit are passed over, as Protobuf readers do.
    switch (fields.key) {
      case edgeKey:
        edges.push({ from: fields.begin, to: fields.passAll(edgeKey) });
        break;
      case (1 << 3) | delimited:
        navigationId = fields.text();
        break;
      case (2 << 3) | delimited:
        userId = fields.text();
        break;
      case (3 << 3) | varint:
        routeVersion = fields.value;
        break;
      case (4 << 3) | varint:
        metricVersion = fields.value;
        break;
      case (5 << 3) | delimited:
        tilesetId = fields.text();
        break;
      case (9 << 3) | delimited:
        polyline = { from: fields.from, to: fields.to };
        break;
      case (10 << 3) | fixed32:
        durationS = body.readFloatLE(fields.from);
        break;
      case (11 << 3) | fixed32:
        distanceM = body.readFloatLE(fields.from);
        break;
      case (12 << 3) | fixed32:
        oldDurationS = body.readFloatLE(fields.from);
        break;
      case (13 << 3) | delimited:
        reason = { from: fields.from, to: fields.to };
        break;
      case (14 << 3) | delimited:
        evidence = { from: fields.from, to: fields.to };
        break;
      case (15 << 3) | varint:
        causedMs = fields.value;
        break;
      case (16 << 3) | varint:
        decidedMs = fields.value;
        break;
      default:
    }
  }
  return {
    navigationId,
    userId,
    routeVersion,
    metricVersion,
    tilesetId,
    durationS,
    distanceM,
    oldDurationS,
    causedMs,
    decidedMs,
    body,
    polyline,
    reason,
    evidence,
    edges,
  };
}

/** Where the name lies whose field begins at `at`, in a stretch of edges. */
export function nameAt(body: Buffer, at: number): Span {
  let length = 0;
  for (let from = at + 1, shift = 0; ; from++, shift += 7) {
    length |= (body[from]! & 0x7f) << shift;
    if (body[from]! < 0x80) return { from: from + 1, to: from + 1 + length };
  }
}

/** One field after the other: key (number and wire type), and either a value or where its bytes lie. */
class Fields {
  key = 0;
  value = 0;
  /** Of the whole field, and of what it holds. */
  begin = 0;
  from = 0;
  to = 0;
  readonly #body: Buffer;

  constructor(body: Buffer) {
    this.#body = body;
  }

  next(): boolean {
    const body = this.#body;
    if (this.to === body.length) return false;
    this.begin = this.to;
    this.key = this.#varint();
    const type = this.key & 7;
    if (type === varint) {
      this.value = this.#varint();
      return true;
    }
    if (type !== delimited && type !== fixed32 && type !== fixed64)
      throw new UndecodableRecord(`A field of the decision has the wire type ${type}.`);
    const length = type === delimited ? this.#varint() : type === fixed32 ? 4 : 8;
    this.from = this.to;
    this.to += length;
    if (this.to > body.length) throw new UndecodableRecord('The decision is cut off in a field.');
    return true;
  }

  /** Goes on over texts of the same field; answers where they end. */
  passAll(key: number): number {
    const body = this.#body;
    let at = this.to;
    // Longer texts end the stretch: they get one of their own.
    while (at + 1 < body.length && body[at] === key && body[at + 1]! < 0x80) {
      const to = at + 2 + body[at + 1]!;
      if (to > body.length) throw new UndecodableRecord('The decision is cut off in a field.');
      at = to;
    }
    this.to = at;
    return at;
  }

  text(): string {
    return this.#body.toString('utf8', this.from, this.to);
  }

  /** Whole numbers below 2^53. */
  #varint(): number {
    const body = this.#body;
    const first = body[this.to];
    if (first !== undefined && first < 0x80) {
      this.to++;
      return first;
    }
    let value = 0;
    for (let scale = 1, at = this.to; at < body.length && at - this.to < 10; at++, scale *= 128) {
      const byte = body[at]!;
      value += (byte & 0x7f) * scale;
      if (byte >= 0x80) continue;
      this.to = at + 1;
      return value;
    }
    throw new UndecodableRecord('A number of the decision is cut off.');
  }
}
