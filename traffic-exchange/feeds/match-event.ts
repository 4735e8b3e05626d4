import { createHash } from 'node:crypto';
import { type Stretch, TraceMatcher } from '#routing-engine/matching/match-trace.js';
import { distanceM } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { snap } from '#routing-engine/snap/snap.js';
import type { EventPlace, Position, RoadEvent } from '../events/road-event.js';
import { LineFinder } from '../openlr/dereference.js';
import { isDrivable } from '../openlr/road-attributes.js';
import { edgesPerEventMax, matchesKeptMax, pointMetresMax } from './limits.js';

export type MatchedEvent =
  | { readonly kind: 'edges'; readonly edges: readonly number[] }
  | { readonly kind: 'unmatched'; readonly reason: string };

/**
 * Radius of the 68 % circle around the positions of a line: first as the same map has them, then as a map
 * that draws its roads elsewhere.
 */
const accuraciesM = [3, 12];
/** Slower than every road, so that no way along the line counts as speeding. */
const walkMps = 3;
/** An edge is meant when this much of it is, or half of it. */
const coveredMetresMin = 20;
const meanDistanceMax = 25;

/** Finds the directed edges of one network that an event is on. */
export class EventMatcher {
  readonly #network: RoadNetwork;
  readonly #lines: LineFinder;
  readonly #traces: TraceMatcher;
  /** Feeds say the same again and again. By what an event says of its roads. */
  readonly #known = new Map<string, MatchedEvent>();

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#lines = new LineFinder(network);
    this.#traces = new TraceMatcher(network, 'driving');
  }

  match(event: RoadEvent): MatchedEvent {
    const { places, bothDirections, effect } = event;
    const key = createHash('sha256')
      .update(JSON.stringify([places, bothDirections, effect]))
      .digest('base64');
    const known = this.#known.get(key) ?? this.#match(event);
    if (this.#known.size >= matchesKeptMax) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }

  #match({ places, bothDirections, effect }: RoadEvent): MatchedEvent {
    const network = this.#network;
    const edges = new Set<number>();
    for (const place of places) {
      const found = this.#place(place);
      if (found.kind === 'unmatched') return found;
      for (const edge of found.edges) {
        edges.add(edge);
        const reverse = network.reverseOf(edge);
        const isOnBoth = bothDirections || (place.openlr === undefined && place.line === undefined);
        if (isOnBoth && isDrivable(network, reverse)) edges.add(reverse);
      }
    }
    if (edges.size > edgesPerEventMax)
      return { kind: 'unmatched', reason: `it is on more than ${edgesPerEventMax} roads` };
    if (effect.kind === 'closed') return { kind: 'edges', edges: [...edges] };
    const slowed = [...edges].filter((edge) => network.freeFlowKph(edge, 'driving') > effect.speedKph);
    return slowed.length > 0
      ? { kind: 'edges', edges: slowed }
      : { kind: 'unmatched', reason: `its roads are not faster than ${effect.speedKph} km/h anyway` };
  }

  /** The first description of the place that fits. */
  #place({ openlr, line, point }: EventPlace): MatchedEvent {
    const tries = [
      ...(openlr === undefined ? [] : [() => this.#openlr(openlr)]),
      ...(line === undefined ? [] : [() => this.#line(line)]),
      ...(point === undefined ? [] : [() => this.#point(point)]),
    ];
    let reason = 'it has no place';
    for (const attempt of tries) {
      const found = attempt();
      if (found.kind === 'edges') return found;
      reason = found.reason;
    }
    return { kind: 'unmatched', reason };
  }

  #openlr(lines: NonNullable<EventPlace['openlr']>): MatchedEvent {
    const edges = new Set<number>();
    for (const line of lines) {
      const found = this.#lines.find(line);
      if (found.kind !== 'found') {
        const missing = found.kind === 'no-road' ? 'no road' : 'no way to its road';
        return { kind: 'unmatched', reason: `the map has ${missing} at OpenLR point ${found.point + 1}` };
      }
      for (const edge of this.#meant(found.stretches)) edges.add(edge);
    }
    return { kind: 'edges', edges: [...edges] };
  }

  #line(line: readonly Position[]): MatchedEvent {
    let matched: MatchedEvent | undefined;
    for (const accuracyM of accuraciesM) {
      matched = this.#lineWithin(line, accuracyM);
      if (matched.kind === 'edges') break;
    }
    return matched!;
  }

  #lineWithin(line: readonly Position[], accuracyM: number): MatchedEvent {
    let metres = 0;
    const points = line.map(([lng, lat], i) => {
      const before = line[i - 1];
      if (before !== undefined) metres += distanceM(before[0], before[1], lng, lat);
      const timeMs = i + Math.round((1_000 * metres) / walkMps);
      return { lngE7: Math.round(lng * 1e7), latE7: Math.round(lat * 1e7), timeMs, accuracyM };
    });
    const { matchings, places } = this.#traces.match(points, { gapMaxMs: Number.POSITIVE_INFINITY });
    const matching = matchings[0];
    if (matching === undefined || matchings.length > 1 || places.includes(null))
      return { kind: 'unmatched', reason: 'its line does not follow roads of the map' };
    const meanM = places.reduce((sum, place) => sum + place!.distanceM, 0) / places.length;
    if (meanM > meanDistanceMax)
      return { kind: 'unmatched', reason: 'its line does not lie on a road of the map' };
    const edges = this.#meant(matching.stretches);
    const turnsBack = edges.some((edge, i) => i > 0 && this.#network.reverseOf(edge) === edges[i - 1]);
    return turnsBack
      ? { kind: 'unmatched', reason: 'its line turns back on the road' }
      : { kind: 'edges', edges };
  }

  #point([lng, lat]: Position): MatchedEvent {
    const [nearest] = snap(this.#network, { lng, lat }, { mode: 'driving', maxMeters: pointMetresMax });
    return nearest === undefined
      ? { kind: 'unmatched', reason: `the map has no road within ${pointMetresMax} m of its place` }
      : { kind: 'edges', edges: [nearest.edge] };
  }

  /** Edges of which enough is meant; at least the one of which most is. */
  #meant(stretches: readonly Stretch[]): number[] {
    const network = this.#network;
    const covered = new Map<number, number>();
    for (const { edge, from, to } of stretches) {
      const original = network.arrays.copyOf[edge]!;
      covered.set(original, (covered.get(original) ?? 0) + (to - from) * network.edgeLengthM(edge));
    }
    const all = [...covered];
    const meant = all.filter(
      ([edge, metres]) => metres >= Math.min(coveredMetresMin, network.edgeLengthM(edge) / 2),
    );
    if (meant.length > 0) return meant.map(([edge]) => edge);
    const most = all.reduce((a, b) => (b[1] > a[1] ? b : a));
    return [most[0]];
  }
}
