import type { TravelMode } from '#routing-engine/travel-mode.js';
import type { OsmMember, OsmSink, Tags } from '#tile-builder/osm/osm-sink.js';

/**
 * Judges routes by the raw extract alone. Shares nothing with the builder but the elements it is fed: access, one-ways,
 * barriers and restrictions are read here a second time, from the OpenStreetMap wiki's definitions.
 */
export class LegalMoves {
  readonly #ways = new Map<number, { refs: readonly number[]; tags: Tags }>();
  readonly #nodes = new Map<number, Tags>();
  readonly #waysOfNode = new Map<number, number[]>();
  readonly #restrictions: { members: readonly OsmMember[]; tags: Tags }[] = [];
  readonly #byFrom = new Map<number, { members: readonly OsmMember[]; tags: Tags }[]>();

  readonly sink: OsmSink = {
    node: (id, _lng, _lat, tags) => {
      if (tags !== undefined) this.#nodes.set(id, tags);
    },
    way: (id, refs, tags) => {
      this.#ways.set(id, { refs: [...refs], tags });
    },
    relation: (_id, members, tags) => {
      if (tags.get('type') !== 'restriction') return;
      const relation = { members, tags };
      this.#restrictions.push(relation);
      for (const { role, type, id } of members)
        if (role === 'from' && type === 'way')
          this.#byFrom.set(id, [...(this.#byFrom.get(id) ?? []), relation]);
    },
  };

  get restrictionCount(): number {
    return this.#restrictions.length;
  }

  /** What is wrong with a route, in words; empty when every step of it is legal. */
  judge(edgeIds: readonly string[], mode: TravelMode): string[] {
    const wrongs: string[] = [];
    const moves = edgeIds.map((id) => this.#move(id, wrongs));
    if (moves.some((move) => move === undefined)) return wrongs;
    const known = moves as Move[];
    for (const move of known) this.#judgeMove(move, mode, wrongs);
    for (let i = 1; i < known.length; i++) this.#judgeTurn(known, i, mode, wrongs);
    // Who begins or ends in a private area may use its roads; nobody else may.
    const own = this.#privateArea([known[0]!.way, known.at(-1)!.way], mode);
    for (const move of known)
      if (this.#isPrivate(move, mode) && !own.has(move.way))
        wrongs.push(`${move.id}: through a private road`);
    return wrongs;
  }

  /** The stretch of the way's nodes that an edge id names. */
  #move(id: string, wrongs: string[]): Move | undefined {
    const [, wayText, fromText, toText, sign, ordinal] =
      /^(\d+):(\d+)-(\d+)([+-])(?:\.(\d+))?$/.exec(id) ?? [];
    const way = this.#ways.get(Number(wayText));
    if (way === undefined) {
      wrongs.push(`${id}: no such way`);
      return undefined;
    }
    const refs = sign === '+' ? way.refs : [...way.refs].reverse();
    const stretches: (readonly number[])[] = [];
    for (let i = 0; i < refs.length; i++) {
      if (refs[i] !== Number(fromText)) continue;
      const end = refs.indexOf(Number(toText), i + 1);
      if (end > i) stretches.push(refs.slice(i, end + 1));
    }
    const stretch = stretches[Math.min(Number(ordinal ?? 0), stretches.length - 1)];
    if (stretch === undefined) {
      wrongs.push(`${id}: its nodes do not follow each other`);
      return undefined;
    }
    return { id, way: Number(wayText), tags: way.tags, nodes: stretch, forward: sign === '+' };
  }

  #judgeMove(move: Move, mode: TravelMode, wrongs: string[]): void {
    const { id, tags, forward, nodes } = move;
    if (access(tags, mode, forward) === 'no') wrongs.push(`${id}: no access`);
    if (!wayIsOpen(tags, mode, forward)) wrongs.push(`${id}: not a road for this mode`);
    if (!directionIsOpen(tags, mode, forward)) wrongs.push(`${id}: against the one-way`);
    for (const node of nodes.slice(1, -1))
      if (this.#blocks(node, mode)) wrongs.push(`${id}: through the barrier ${node}`);
  }

  #judgeTurn(moves: readonly Move[], at: number, mode: TravelMode, wrongs: string[]): void {
    const from = moves[at - 1]!;
    const to = moves[at]!;
    const via = from.nodes.at(-1)!;
    if (via !== to.nodes[0]) {
      wrongs.push(`${from.id} and ${to.id} do not meet`);
      return;
    }
    const turnsBack = from.way === to.way && from.forward !== to.forward && from.nodes.at(-2) === to.nodes[1];
    if (!turnsBack && this.#blocks(via, mode)) wrongs.push(`${to.id}: through the barrier ${via}`);
    for (const relation of this.#byFrom.get(from.way) ?? []) {
      const kind = restrictionKind(relation.tags, mode);
      if (kind === undefined) continue;
      const toWays = relation.members.filter((m) => m.role === 'to').map((m) => m.id);
      const vias = relation.members.filter((m) => m.role === 'via');
      if (vias.length === 1 && vias[0]!.type === 'node') {
        if (
          vias[0]!.id !== via ||
          !this.#endsAt(from.way, via) ||
          !toWays.every((way) => this.#endsAt(way, via))
        )
          continue;
        const taken = toWays.includes(to.way);
        if (kind === 'no' ? taken : !taken)
          wrongs.push(`${from.id} → ${to.id}: ${relation.tags.get('restriction')}`);
      } else if (vias.length > 0 && vias.every((m) => m.type === 'way')) {
        this.#judgeViaWays(
          moves,
          at,
          kind,
          vias.map((m) => m.id),
          toWays,
          relation.tags,
          wrongs,
        );
      }
    }
  }

  /** `moves[at - 1]` is on the from way: does the route run the via ways from end to end and then do what it may not? */
  #judgeViaWays(
    moves: readonly Move[],
    at: number,
    kind: 'no' | 'only',
    vias: readonly number[],
    toWays: readonly number[],
    tags: Tags,
    wrongs: string[],
  ): void {
    if (!this.#endsAt(moves[at - 1]!.way, moves[at - 1]!.nodes.at(-1)!)) return;
    let next = at;
    for (const via of vias) {
      const nodes: number[] = [];
      while (
        moves[next]?.way === via &&
        (nodes.length === 0 || moves[next]!.forward === moves[next - 1]!.forward)
      ) {
        nodes.push(...(nodes.length === 0 ? moves[next]!.nodes : moves[next]!.nodes.slice(1)));
        next++;
      }
      if (nodes.length !== this.#ways.get(via)?.refs.length) return;
    }
    const after = moves[next];
    if (after === undefined || !toWays.every((way) => this.#endsAt(way, after.nodes[0]!))) return;
    const taken = toWays.includes(after.way);
    if (kind === 'no' ? taken : !taken)
      wrongs.push(`${moves[at - 1]!.id} … ${after.id}: ${tags.get('restriction')} over ${vias.join(', ')}`);
  }

  #endsAt(way: number, node: number): boolean {
    const refs = this.#ways.get(way)?.refs ?? [];
    return (refs[0] === node) !== (refs.at(-1) === node) && !refs.slice(1, -1).includes(node);
  }

  /** Private ways that hang together with any of these, these included. */
  #privateArea(ways: readonly number[], mode: TravelMode): Set<number> {
    const area = new Set<number>();
    const waiting = ways.filter((way) => this.#hasPrivate(way, mode));
    for (let way = waiting.pop(); way !== undefined; way = waiting.pop()) {
      if (area.has(way)) continue;
      area.add(way);
      for (const node of this.#ways.get(way)!.refs)
        for (const other of this.#waysAt(node)) if (this.#hasPrivate(other, mode)) waiting.push(other);
    }
    return area;
  }

  #hasPrivate(way: number, mode: TravelMode): boolean {
    const tags = this.#ways.get(way)!.tags;
    return [true, false].some((forward) => access(tags, mode, forward) === 'private');
  }

  #waysAt(node: number): readonly number[] {
    if (this.#waysOfNode.size === 0)
      for (const [way, { refs }] of this.#ways)
        for (const ref of refs) this.#waysOfNode.set(ref, [...(this.#waysOfNode.get(ref) ?? []), way]);
    return this.#waysOfNode.get(node) ?? [];
  }

  #isPrivate({ tags, forward }: Move, mode: TravelMode): boolean {
    return access(tags, mode, forward) === 'private';
  }

  #blocks(node: number, mode: TravelMode): boolean {
    const tags = this.#nodes.get(node);
    const barrier = tags?.get('barrier');
    if (tags === undefined || barrier === undefined) return false;
    const said = access(tags, mode, true);
    if (said !== undefined) return said !== 'yes';
    if (mode === 'driving') {
      const open =
        /^(cattle_grid|border_control|toll_booth|sally_port|(lift_|swing_)?gate|entrance|height_restrictor|arch|kerb|no)$/;
      return !open.test(barrier) && tags.get('bollard') !== 'rising';
    }
    if (/^(wall|fence|hedge|debris|tank_trap)$/.test(barrier)) return true;
    const bikes = /^(stile|(full-height_)?turnstile|kissing_gate|jersey_barrier|log)$/;
    return mode === 'bicycling' && bikes.test(barrier);
  }
}

interface Move {
  readonly id: string;
  readonly way: number;
  readonly tags: Tags;
  readonly nodes: readonly number[];
  readonly forward: boolean;
}

const keysOf: Readonly<Record<TravelMode, readonly string[]>> = {
  driving: ['motorcar', 'motor_vehicle', 'vehicle', 'access'],
  bicycling: ['bicycle', 'vehicle', 'access'],
  walking: ['foot', 'access'],
};

function access(tags: Tags, mode: TravelMode, forward: boolean): 'yes' | 'private' | 'no' | undefined {
  for (const key of keysOf[mode])
    for (const name of [`${key}:${forward ? 'forward' : 'backward'}`, key]) {
      const value = tags.get(name) ?? '';
      if (/^(yes|permissive|designated|official|public)$/.test(value)) return 'yes';
      if (/^(private|destination|delivery|customers|permit|residents)$/.test(value)) return 'private';
      if (
        /^(no|agricultural|forestry|emergency|military|psv|bus|hov|restricted|dismount|use_sidepath)$/.test(
          value,
        )
      )
        return 'no';
    }
  return undefined;
}

const roadsOf: Readonly<Record<TravelMode, RegExp>> = {
  driving:
    /^((motorway|trunk|primary|secondary|tertiary)(_link)?|unclassified|road|residential|living_street|service)$/,
  bicycling:
    /^((trunk|primary|secondary|tertiary)(_link)?|unclassified|road|residential|living_street|service|cycleway|track|path)$/,
  walking:
    /^((primary|secondary|tertiary)(_link)?|unclassified|road|residential|living_street|service|cycleway|track|path|footway|pedestrian|bridleway|steps|corridor|platform)$/,
};

function wayIsOpen(tags: Tags, mode: TravelMode, forward: boolean): boolean {
  const highway = tags.get('highway');
  if (highway === undefined) return tags.get('route') === 'ferry';
  if (mode !== 'driving' && (tags.get('motorroad') === 'yes' || highway.startsWith('motorway'))) return false;
  if (mode !== 'walking' && (highway === 'steps' || tags.get('area') === 'yes')) return false;
  if (highway === 'construction' || highway === 'proposed') return false;
  return roadsOf[mode].test(highway) || access(tags, mode, forward) === 'yes';
}

function directionIsOpen(tags: Tags, mode: TravelMode, forward: boolean): boolean {
  const own = {
    driving: ['motorcar', 'motor_vehicle', 'vehicle'],
    bicycling: ['bicycle', 'vehicle'],
    walking: ['foot'],
  };
  let value = own[mode].map((key) => tags.get(`oneway:${key}`)).find((said) => said !== undefined);
  if (value === undefined) {
    if (mode === 'walking') return true;
    const contraflow = ['', ':left', ':right', ':both'].some((side) =>
      tags.get(`cycleway${side}`)?.startsWith('opposite'),
    );
    if (mode === 'bicycling' && contraflow) return true;
    const ring = tags.get('junction') === 'roundabout' || tags.get('junction') === 'circular';
    value = tags.get('oneway') ?? (ring || tags.get('highway') === 'motorway' ? 'yes' : 'no');
  }
  if (value === 'reversible' || value === 'alternating') return false;
  if (value === '-1' || value === 'reverse') return !forward;
  return forward || !/^(yes|true|1)$/.test(value);
}

function restrictionKind(tags: Tags, mode: TravelMode): 'no' | 'only' | undefined {
  const keys = {
    driving: ['motorcar', 'motor_vehicle', 'vehicle'],
    bicycling: ['bicycle', 'vehicle'],
    walking: ['foot'],
  };
  const free = (tags.get('except') ?? '').split(/\s*;\s*/);
  if (keys[mode].some((key) => free.includes(key))) return undefined;
  const own = keys[mode].map((key) => tags.get(`restriction:${key}`)).find((said) => said !== undefined);
  const value = own ?? (mode === 'walking' ? undefined : tags.get('restriction'));
  return value?.startsWith('no_') ? 'no' : value?.startsWith('only_') ? 'only' : undefined;
}
