import { ProtobufFields, wireTypes } from './protobuf-fields.js';

const { varint, delimited, fixed32 } = wireTypes;

/**
 * A decision of the group `reroute` (`meridian.nav.v1.RouteChanged`) as the gateway reads it: the fields that
 * decide are decoded; long texts stay bytes of the record, because most are only copied to one socket.
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
  /** No route leads to the destination: the decision has no route. */
  readonly unreachable: boolean;
  /** The Protobuf body, valid as long as its record. */
  readonly body: Buffer;
  readonly polyline: Span;
  readonly reason: Span;
  readonly evidence: Span;
  /**
   * Stretches of the body with the names of the edges in order, each name behind its field number and its
   * length.
   */
  readonly edges: readonly Span[];
}

/** Bytes of the body from `from` to before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const nothing: Span = { from: 0, to: 0 };

/** Field number and wire type in front of each edge. */
const edgeKey = (6 << 3) | delimited;

/** Throws `UndecodableRecord` for bytes that are not a Protobuf message. Unknown fields are skipped. */
export function readDecision(bytes: Uint8Array): RouteDecision {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = new ProtobufFields(body);
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
  let unreachable = false;
  let polyline = nothing;
  let reason = nothing;
  let evidence = nothing;
  while (fields.next()) {
    // The numbers are those of schemas/proto; wire types that do not fit are skipped, as Protobuf readers do.
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
      case (17 << 3) | varint:
        unreachable = fields.value !== 0;
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
    unreachable,
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
