import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { rerouteFrame, type WrittenFrame } from '#api/push/frames.js';
import { readDecision } from '#api/push/route-decision.js';
import { UndecodableRecord } from '#platform/wire/topic-codec.js';
import type { RouteChanged } from '#schemas/messages.js';
import { openDecisions } from './decisions.js';

const { codec, decisionOf, closeDecisions } = await openDecisions();
afterAll(closeDecisions);

const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const int = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constant('"\\\u0001'));
const change: fc.Arbitrary<RouteChanged> = fc.record({
  ...{ navigationId: text, userId: text, tilesetId: text, reason: text, evidence: text, polyline: text },
  ...{ durationS: float, distanceM: float, fromFraction: float, toFraction: float },
  ...{ metricVersion: int, causedMs: int, decidedMs: int },
  routeVersion: fc.nat(),
  oldDurationS: fc.oneof(float, fc.constant(Number.POSITIVE_INFINITY)),
  edgeIds: fc.array(text, { maxLength: 30 }),
  unreachable: fc.constant(false),
});

const textOf = (frame: WrittenFrame) => new TextDecoder('utf8', { fatal: true }).decode(frame.text);

const tenths = (value: number) => Math.round(value * 10) / 10;

/** The frame by the general codec and JSON.stringify. */
function plainFrame(value: Uint8Array, id: number) {
  const read = codec.decode(value);
  const route = {
    ...{ polyline: read.polyline, distance_m: tenths(read.distanceM), duration_s: tenths(read.durationS) },
    ...{ metric_version: read.metricVersion, edge_ids: read.edgeIds },
  };
  const saves = read.oldDurationS - read.durationS;
  const { navigationId: navigation_id, reason, evidence } = read;
  return JSON.parse(
    JSON.stringify({
      ...{ type: 'reroute', id, navigation_id, route, reason, evidence },
      ...{ saves_s: Number.isFinite(saves) ? tenths(saves) : null, caused_at: read.causedMs },
    }),
  ) as unknown;
}

describe('the frame of a better route', () => {
  test('equals what the general codec and JSON make of the decision', () => {
    fc.assert(
      fc.property(change, fc.nat(), (decided, id) => {
        const value = codec.encode(decided);
        const frame = rerouteFrame(decisionOf(decided), id);
        expect(JSON.parse(textOf(frame))).toEqual(plainFrame(value, id));
      }),
    );
  });

  test('skips fields of a later schema at any position', () => {
    const body = codec.bodyOf(
      codec.encode({ ...fc.sample(change, { numRuns: 1, seed: 3 })[0]!, edgeIds: ['a', 'b'] }),
    );
    // Field 99: a number, a text, four and eight bytes.
    const later = Buffer.from('980601' + '9a0601' + '78' + '9d0601020304' + '99060102030405060708', 'hex');
    const one = textOf(rerouteFrame(readDecision(body), 1));
    expect(textOf(rerouteFrame(readDecision(Buffer.concat([later, body, later])), 1))).toBe(one);
  });

  test('is not made from a truncated decision', () => {
    const decided = { ...fc.sample(change, { numRuns: 1, seed: 5 })[0]!, reason: 'Stampgatan is closed' };
    const body = codec.bodyOf(codec.encode(decided));
    let refused = 0;
    for (let length = 0; length < body.length; length++)
      try {
        readDecision(body.subarray(0, length));
      } catch (error) {
        expect(error).toBeInstanceOf(UndecodableRecord);
        refused++;
      }
    expect(refused).toBeGreaterThan(body.length / 2);
  });

  test('replaces names that are not UTF-8 by valid text', () => {
    // Field 6 with one byte that starts no character.
    const frame = rerouteFrame(readDecision(Buffer.from([0x32, 0x01, 0xff])), 1);
    expect(textOf(frame)).toContain('"edge_ids":["\ufffd"]');
  });
});
