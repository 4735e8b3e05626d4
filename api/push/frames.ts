import type { RouteBody, ServerFrame } from '#schemas/nav-stream.js';
import { copyJsonText } from './copy-json-text.js';
import { nameAt, type RouteDecision, type Span } from './route-decision.js';

type NumberedFrame = Extract<ServerFrame, { readonly id: number }>;

/** A frame of a navigation as its client receives it: encoded once for all sockets and resumes. */
export interface WrittenFrame extends Pick<NumberedFrame, 'type' | 'id' | 'navigation_id'> {
  /** JSON in UTF-8. */
  readonly text: Buffer;
}

export const writtenFrame = (frame: NumberedFrame): WrittenFrame => ({
  type: frame.type,
  id: frame.id,
  navigation_id: frame.navigation_id,
  text: Buffer.from(JSON.stringify(frame)),
});

type RouteFrame = Extract<NumberedFrame, { readonly route: RouteBody }>;

/** The frame as it was before it was written; undefined for one without a route. */
export function routeFrameOf({ type, text }: WrittenFrame): RouteFrame | undefined {
  if (type !== 'started' && type !== 'reroute') return undefined;
  return JSON.parse(text.toString()) as RouteFrame;
}

/** Names of the edges of a route that was written. */
export function edgeIdsOf(text: Buffer): readonly string[] {
  return (JSON.parse(text.toString()) as RouteFrame).route.edge_ids;
}

/** The frame that informs a driver that no route leads to the destination, with the reason. */
export const unreachableFrame = (decision: RouteDecision, id: number): WrittenFrame =>
  writtenFrame({
    type: 'unreachable',
    id,
    navigation_id: decision.navigationId,
    reason: textAt(decision, decision.reason),
    evidence: textAt(decision, decision.evidence),
    metric_version: decision.metricVersion,
    caused_at: decision.causedMs,
  });

const textAt = ({ body }: RouteDecision, { from, to }: Span): string => body.toString('utf8', from, to);

/**
 * Frames are stored in blocks, because a buffer for each costs as much as encoding it. A block is freed with
 * the last of its frames, so nothing may keep a frame longer than the store keeps it for a resume.
 */
const blockBytes = 64 * 1024;
let block = Buffer.alloc(0);
let used = 0;

/** Frames are encoded here, because their length is unknown before. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);
let scratchView = viewOf(scratch);

const comma = 0x2c;

/**
 * The frame of a better route. Its texts are copied from the record as bytes: decoding and encoding a hundred
 * edge names takes longer than everything else.
 */
export function rerouteFrame(decision: RouteDecision, id: number): WrittenFrame {
  const { navigationId, polyline, edges, body } = decision;
  // JSON needs at most six bytes per byte.
  const bytesMax = 6 * body.length + 1_024;
  if (scratch.length < bytesMax) {
    scratch = Buffer.allocUnsafeSlow(2 * bytesMax);
    scratchView = viewOf(scratch);
  }
  const into = scratch;
  const view = scratchView;
  const source = viewOf(body);
  let at = into.write(
    `{"type":"reroute","id":${id},"navigation_id":${JSON.stringify(navigationId)},"route":{"polyline":`,
  );
  at = copyJsonText(view, at, source, polyline.from, polyline.to);
  at += into.write(
    `,"distance_m":${number(decision.distanceM)},"duration_s":${number(decision.durationS)},"metric_version":${decision.metricVersion},"edge_ids":[`,
    at,
  );
  let isFirst = true;
  for (const { from, to } of edges)
    for (let next = from; next < to; isFirst = false) {
      const name = nameAt(body, next);
      if (!isFirst) into[at++] = comma;
      at = copyJsonText(view, at, source, name.from, name.to);
      next = name.to;
    }
  at += into.write(']},"reason":', at);
  at = copyJsonText(view, at, source, decision.reason.from, decision.reason.to);
  at += into.write(',"evidence":', at);
  at = copyJsonText(view, at, source, decision.evidence.from, decision.evidence.to);
  // The number of an infinite gain is null: it says that the old route is closed.
  const saves = number(decision.oldDurationS - decision.durationS);
  at += into.write(`,"saves_s":${saves},"caused_at":${decision.causedMs}}`, at);
  return { type: 'reroute', id, navigation_id: navigationId, text: keep(into, at) };
}

/** Tenths of a metre and of a second are more than a driver needs. */
const number = (value: number): string =>
  Number.isFinite(value) ? String(Math.round(value * 10) / 10) : 'null';

function keep(bytes: Buffer, length: number): Buffer {
  if (used + length > block.length) {
    block = Buffer.allocUnsafeSlow(Math.max(blockBytes, length));
    used = 0;
  }
  const from = used;
  used += bytes.copy(block, from, 0, length);
  return block.subarray(from, used);
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
