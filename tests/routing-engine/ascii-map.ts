import { expect } from 'vitest';
import { openTileset } from '#map-data/open-tileset.js';
import { type Avoidable, type AvoidMask, avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import {
  applyChanges,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/overlay/metric.js';
import { findRoute, type RouteOutcome } from '#routing-engine/route/find-route.js';
import type { OsmSink } from '#schemas/osm-sink.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { type FixtureRelation, playFixture } from '../tile-builder/osm-fixture.js';

type TagsOf = Readonly<Record<string, string>>;

export interface MapRules {
  /**
   * Tags of ways, by the letters they run through: `{ AB: { oneway: 'yes' } }`. Ways not listed are
   * residential. An empty value takes the tag away.
   */
  readonly ways?: Readonly<Record<string, TagsOf>>;
  readonly nodes?: Readonly<Record<string, TagsOf>>;
  /** `['no_left_turn', 'AB', 'B', 'BC']`: kind, from way, via node or ways, to way; then more tags. */
  readonly restrictions?: readonly (readonly [
    kind: string,
    from: string,
    via: string,
    to: string,
    more?: TagsOf,
  ])[];
  /** Restrictions with any members, by role; `#404` is an element that is not there. Or any other tags. */
  readonly relations?: readonly {
    readonly kind: string | TagsOf;
    readonly roles: readonly (readonly [role: string, member: string])[];
  }[];
  /** Metres between two neighbouring characters of the drawing. */
  readonly stepM?: number;
  /** Where the upper left corner lies, in degrees; without it at sea, in no country. */
  readonly origin?: { readonly lng: number; readonly lat: number };
  readonly cellNodesMax?: readonly number[];
  /** Receives the same elements. */
  readonly witness?: OsmSink;
}

/** Long enough that turns do not outweigh the roads. */
const STEP_M = 40;

/**
 * A road network from a drawing: letters are crossings, `-` `|` `\` `/` lines of road between them; a way is
 * named by its letters in the order in which they are drawn.
 *
 * ```text
 *   A----B----C
 *        |
 *        D
 * ```
 */
export async function drawMap(drawing: string, rules: MapRules = {}): Promise<DrawnMap> {
  const rows = drawing.split('\n');
  const at = (x: number, y: number): string => rows[y]?.[x] ?? ' ';
  const isLetter = (character: string): boolean => /[A-Za-z0-9]/.test(character);
  const places = new Map<string, { x: number; y: number }>();
  for (const [y, row] of rows.entries())
    for (const [x, character] of row.split('').entries())
      if (isLetter(character)) places.set(character, { x, y });
  const pairs: string[] = [];
  const strokes = [
    ['-', 1, 0],
    ['|', 0, 1],
    ['\\', 1, 1],
    ['/', -1, 1],
  ] as const;
  for (const [letter, { x, y }] of places)
    for (const [stroke, dx, dy] of strokes) {
      let n = 1;
      while (at(x + n * dx, y + n * dy) === stroke) n++;
      const other = at(x + n * dx, y + n * dy);
      if (n > 1 && isLetter(other)) pairs.push(letter + other);
    }

  const letters = [...places.keys()].sort();
  const nodeId = (letter: string): number => letters.indexOf(letter) + 1;
  const covered = new Set<string>();
  const named = Object.keys(rules.ways ?? {});
  for (const name of named)
    for (let i = 0; i + 1 < name.length; i++) {
      covered.add(name[i]! + name[i + 1]!);
      covered.add(name[i + 1]! + name[i]!);
    }
  const names = [...named, ...pairs.filter((pair) => !covered.has(pair))];
  const { lng: west, lat: north } = rules.origin ?? { lng: 0, lat: 0 };
  const step = (rules.stepM ?? STEP_M) / 111_195;
  const stepLng = step / Math.cos((north * Math.PI) / 180);
  const members = (roles: readonly (readonly [string, string])[]) =>
    roles.map(([role, name]) =>
      name.startsWith('#')
        ? {
            type: role === 'via' ? ('node' as const) : ('way' as const),
            id: 9_000 + Number(name.slice(1)),
            role,
          }
        : name.length === 1
          ? { type: 'node' as const, id: nodeId(name), role }
          : { type: 'way' as const, id: wayId(name), role },
    );
  const wayId = (name: string): number => {
    const index = names.findIndex((known) => known === name || known === name.split('').reverse().join(''));
    if (index < 0) throw new Error(`the drawing has no way ${name}`);
    return 100 + index;
  };
  const relations: FixtureRelation[] = (rules.restrictions ?? []).map(([kind, from, via, to, more], i) => ({
    id: 1000 + i,
    members: members([['from', from], ...via.split(' ').map((each) => ['via', each] as const), ['to', to]]),
    tags: withoutEmpty({ type: 'restriction', restriction: kind, ...more }),
  }));
  for (const { kind, roles } of rules.relations ?? [])
    relations.push({
      id: 2000 + relations.length,
      members: members(roles),
      tags: typeof kind === 'string' ? { type: 'restriction', restriction: kind } : kind,
    });
  const objects = new MemoryObjectStore();
  const read = (sink: OsmSink): void =>
    playFixture(
      {
        nodes: letters.map((letter) => ({
          id: nodeId(letter),
          lng: west + places.get(letter)!.x * stepLng,
          lat: north - places.get(letter)!.y * step,
          ...(rules.nodes?.[letter] === undefined ? {} : { tags: rules.nodes[letter] }),
        })),
        ways: names.map((name) => ({
          id: wayId(name),
          refs: name.split('').map(nodeId),
          tags: withoutEmpty({ highway: 'residential', name, ...rules.ways?.[name] }),
        })),
        relations,
      },
      sink,
    );
  if (rules.witness !== undefined) read(rules.witness);
  await buildTileset(
    { kind: 'elements', read },
    objects,
    rules.cellNodesMax === undefined ? {} : { cellNodesMax: rules.cellNodesMax },
  );
  const idOf = (from: string, to: string): string => {
    const along = names.find((name) => name.includes(from + to));
    const name = along ?? names.find((each) => each.includes(to + from));
    if (name === undefined) throw new Error(`the drawing has no way between ${from} and ${to}`);
    return `${wayId(name)}:${nodeId(from)}-${nodeId(to)}${along === undefined ? '-' : '+'}`;
  };
  return new DrawnMap(await openTileset(objects), (letter) => nodeId(letter), letters, idOf);
}

const withoutEmpty = (tags: TagsOf): TagsOf =>
  Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== ''));

export class DrawnMap {
  readonly network: RoadNetwork;
  readonly #nodeId: (letter: string) => number;
  readonly #letters: readonly string[];
  /**
   * Stable id of the section from one letter to its neighbour, from the drawing: whether or not there is an
   * edge.
   */
  readonly idOf: (from: string, to: string) => string;

  constructor(
    network: RoadNetwork,
    nodeId: (letter: string) => number,
    letters: readonly string[],
    idOf: (from: string, to: string) => string,
  ) {
    this.network = network;
    this.#nodeId = nodeId;
    this.#letters = letters;
    this.idOf = idOf;
  }

  /** The directed edge from one letter to its neighbour; throws when there is none. */
  edge(from: string, to: string): number {
    const { tail, head, nodeOsmId, copyOf } = this.network.arrays;
    for (let edge = 0; edge < this.network.edgeCount; edge++)
      if (
        copyOf[edge] === edge &&
        nodeOsmId[tail[edge]!] === this.#nodeId(from) &&
        nodeOsmId[head[edge]!] === this.#nodeId(to)
      )
        return edge;
    throw new Error(`the drawing has no way from ${from} to ${to}`);
  }

  metric(mode: TravelMode = 'driving', changes: Iterable<EdgeChange> = []): Metric {
    return applyChanges(this.network, freeFlowMetric(this.network, mode), changes, 1);
  }

  /**
   * From the first letter, leaving along the first edge, to the last, arriving along the last one: `AB` …
   * `DE`.
   */
  route(first: string, last: string, metric = this.metric(), avoid: AvoidMask = 0): RouteOutcome {
    return findRoute(this.network, metric, {
      from: [{ edge: this.edge(first[0]!, first[1]!), fraction: 0 }],
      to: [{ edge: this.edge(last[0]!, last[1]!), fraction: 1 }],
      avoid,
    });
  }

  lettersOf(edges: Uint32Array): string {
    const { tail, head, nodeOsmId } = this.network.arrays;
    const letter = (node: number): string => this.#letters[nodeOsmId[node]! - 1]!;
    return letter(tail[edges[0]!]!) + Array.from(edges, (edge) => letter(head[edge]!)).join('');
  }

  /** The route from the path's first edge to its last one is exactly this path. */
  expectPath(path: string, options: { metric?: Metric; avoid?: Iterable<Avoidable> } = {}): void {
    const outcome = this.route(
      path.slice(0, 2),
      path.slice(-2),
      options.metric ?? this.metric(),
      avoidMask(options.avoid ?? []),
    );
    expect(outcome.status === 'ok' ? this.lettersOf(outcome.path.edges) : outcome.reason).toBe(path);
  }
}
