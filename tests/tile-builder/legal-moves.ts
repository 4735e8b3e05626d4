import { iso1A2Code } from '@rapideditor/country-coder';
import { RawAreas } from '#bench/routing/raw-areas.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { OsmMember, OsmSink, Tags } from '#schemas/osm-sink.js';
import {
  access,
  accessOfMove,
  barrierStops,
  directionIsOpen,
  type Holds,
  privateGate,
  restrictionKind,
  type Said,
  travelsAs,
  wayIsOpen,
} from './legal-tags.js';

/**
 * Checks routes against the raw extract only. Shares nothing with the builder except the elements that it
 * reads: access, one-ways, barriers and restrictions are read here a second time, from the definitions of the
 * OpenStreetMap wiki.
 */
export class LegalMoves {
  readonly #ways = new Map<number, { refs: readonly number[]; tags: Tags }>();
  readonly #nodes = new Map<number, Tags>();
  readonly #places = new Map<number, readonly [lng: number, lat: number]>();
  readonly #waysOfNode = new Map<number, number[]>();
  readonly #restrictions: { members: readonly OsmMember[]; tags: Tags }[] = [];
  readonly #areas = new RawAreas();
  #holds: Holds | undefined;
  readonly #byFrom = new Map<number, { members: readonly OsmMember[]; tags: Tags }[]>();

  readonly #countries = new Map<number, string | null>();
  /** What tags say to a mode in a direction, while the same conditions hold. */
  readonly #said = new Map<Tags, Map<string, Said>>();

  readonly sink: OsmSink = {
    node: (id, lng, lat, tags) => {
      this.#places.set(id, [lng, lat]);
      if (tags !== undefined) this.#nodes.set(id, tags);
    },
    way: (id, refs, tags) => {
      this.#ways.set(id, { refs: [...refs], tags });
      this.#areas.way(id, [...refs], tags);
    },
    relation: (_id, members, tags) => {
      this.#areas.relation(members, tags);
      if (tags.get('type')?.startsWith('restriction') !== true) return;
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

  /**
   * The violations of a route, in words; empty if every step of it is legal: at the time at which these
   * conditions hold, or at all hours.
   */
  judge(edgeIds: readonly string[], mode: TravelMode, holds?: Holds): string[] {
    if (holds !== this.#holds) this.#said.clear();
    this.#holds = holds;
    const wrongs: string[] = [];
    const moves = edgeIds.map((id) => this.#move(id, mode, wrongs));
    if (moves.some((move) => move === undefined)) return wrongs;
    const known = moves as Move[];
    for (const move of known) this.#judgeMove(move, mode, wrongs);
    for (let i = 1; i < known.length; i++) this.#judgeTurn(known, i, mode, wrongs);
    // A route that starts or ends in a private area may use its roads; others may not.
    const own = this.#privateArea([known[0]!.way, known.at(-1)!.way], mode);
    const isIn = known.map((move) => this.#isPrivate(move, mode) || this.#isAtGate(move.nodes, mode));
    const starts = isIn.indexOf(false);
    const ends = isIn.lastIndexOf(false);
    for (const [i, move] of known.entries()) {
      const isOfEnds = starts < 0 || i < starts || i > ends;
      if (this.#isPrivate(move, mode) && !own.has(move.way) && !isOfEnds)
        wrongs.push(`${move.id}: through a private road`);
      const before = known[i - 1];
      if (before === undefined || !this.#isPrivateGate(move.nodes[0]!, mode)) continue;
      const isBack = before.way === move.way && before.forward !== move.forward;
      if (isBack || starts < 0 || i < starts || i - 1 > ends) continue;
      // Ends-only roads that touch are one area (`ends-only-zones`), also where a gate makes them so.
      const isBesideOwn = this.#touches(move.way, own) || this.#touches(before.way, own);
      if (!isBesideOwn) wrongs.push(`${move.id}: through a private gate`);
    }
    return wrongs;
  }

  #accessOf(tags: Tags, way: number, mode: TravelMode, forward: boolean): Said {
    const known = this.#said.get(tags) ?? new Map<string, Said>();
    this.#said.set(tags, known);
    const key = `${mode} ${forward}`;
    const said = known.get(key) ?? accessOfMove(tags, mode, forward, this.#holds, this.#countryOf(way));
    known.set(key, said);
    return said;
  }

  /** A way over a border belongs to the country in which it ends. */
  #countryOf(way: number): string | undefined {
    let country = this.#countries.get(way);
    if (country === undefined) {
      const last = this.#ways.get(way)?.refs.findLast((ref) => this.#places.has(ref));
      const [lng, lat] = last === undefined ? [0, 0] : this.#places.get(last)!;
      country = iso1A2Code([lng / 1e7, lat / 1e7]);
      this.#countries.set(way, country);
    }
    return country ?? undefined;
  }

  /** The section of the way's nodes that an edge id names. */
  #move(id: string, mode: TravelMode, wrongs: string[]): Move | undefined {
    const [, wayText, fromText, toText, sign, ordinal] =
      /^(-?\d+):(-?\d+)-(-?\d+)([+-])(?:\.(\d+))?$/.exec(id) ?? [];
    const way = this.#ways.get(Number(wayText));
    const [from, to] = [Number(fromText), Number(toText)];
    // People on foot go straight over a square.
    const ofArea =
      mode === 'walking' ? this.#areas.crossed(this.#places, Number(wayText), from, to) : undefined;
    if (ofArea !== undefined)
      return { id, way: Number(wayText), tags: ofArea, nodes: [from, to], forward: true };
    if (way === undefined) {
      wrongs.push(`${id}: no such way`);
      return undefined;
    }
    const refs = sign === '+' ? way.refs : [...way.refs].reverse();
    const stretches: (readonly number[])[] = [];
    for (let i = 0; i < refs.length; i++) {
      if (refs[i] !== from) continue;
      const end = refs.indexOf(to, i + 1);
      // A crossing ends a section: none passes its own start again.
      const isWhole = end > i && !refs.slice(i + 1, end).includes(refs[i]!);
      if (isWhole) stretches.push(refs.slice(i, end + 1));
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
    const country = this.#countryOf(move.way);
    if (this.#accessOf(tags, move.way, mode, forward).said === 'no') wrongs.push(`${id}: no access`);
    const as = travelsAs(tags, mode, forward, this.#holds, country);
    if (!wayIsOpen(tags, as, forward, this.#holds, country)) wrongs.push(`${id}: not a road for this mode`);
    if (!directionIsOpen(tags, as, forward, this.#holds)) wrongs.push(`${id}: against the one-way`);
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
    if (turnsBack && mode !== 'walking' && this.#mayGoOn(moves, at, mode))
      wrongs.push(`${from.id}: turns back where it might go on`);
    this.#judgeRestrictions(moves, at, mode, wrongs);
  }

  /**
   * Whether something other than a U-turn is legal at the end of `moves[at - 1]`. At a turning place no
   * continuation is forced.
   */
  #mayGoOn(moves: readonly Move[], at: number, mode: TravelMode): boolean {
    const from = moves[at - 1]!;
    const node = from.nodes.at(-1)!;
    const place = this.#nodes.get(node)?.get('highway') ?? '';
    if (/^(turning_circle|turning_loop|mini_roundabout)$/.test(place) || this.#blocks(node, mode))
      return false;
    return this.#waysAt(node).some((way) => {
      const { refs, tags } = this.#ways.get(way)!;
      return [true, false].some((forward) => {
        const { said } = this.#accessOf(tags, way, mode, forward);
        if (said === 'no' || !this.#isRoad(way, mode, forward)) return false;
        const comesFromArea = this.#isPrivate(from, mode) || this.#isAtGate(from.nodes, mode);
        if (said === 'private' && !comesFromArea) return false;
        return refs.some((ref, i) => {
          const next = refs[forward ? i + 1 : i - 1];
          if (ref !== node || next === undefined || next === node) return false;
          if (!comesFromArea && this.#leadsToGate(way, i, forward, mode)) return false;
          // Cut off at the border of the extract.
          if (!this.#places.has(next)) return false;
          if (way === from.way && forward !== from.forward && next === from.nodes.at(-2)) return false;
          const on: Move = { id: '', way, tags, nodes: [node, next], forward };
          const wrongs: string[] = [];
          for (let i = 1; i <= at; i++) this.#judgeRestrictions([...moves.slice(0, at), on], i, mode, wrongs);
          return wrongs.length === 0;
        });
      });
    });
  }

  #judgeRestrictions(moves: readonly Move[], at: number, mode: TravelMode, wrongs: string[]): void {
    const from = moves[at - 1]!;
    const to = moves[at]!;
    const via = from.nodes.at(-1)!;
    // Of several relations that name the only continuation from the same section, one is to be obeyed.
    const demands: Demand[] = [];
    for (const relation of this.#byFrom.get(from.way) ?? []) {
      const kind = restrictionKind(relation.tags, mode, this.#holds);
      if (kind === undefined) continue;
      const toWays = relation.members.filter((m) => m.role === 'to').map((m) => m.id);
      const vias = relation.members.filter((m) => m.role === 'via');
      if (vias.length === 1 && vias[0]!.type === 'node') {
        if (vias[0]!.id !== via) continue;
        const meant = this.#turnsMeant(from.way, via, toWays, kind);
        if (meant === undefined) continue;
        const arrives = from.nodes.at(-2)!;
        const own = meant.filter(({ before }) => before === arrives);
        const taken = own.some(({ way, after }) => way === to.way && after === to.nodes[1]);
        const wrong = `${from.id} → ${to.id}: ${kind}`;
        if (own.length > 0 && kind.startsWith('only_')) demands.push({ at, obeyed: taken, wrong });
        else if (own.length > 0 && taken) wrongs.push(wrong);
      } else if (vias.length > 0 && vias.every((m) => m.type === 'way')) {
        this.#judgeViaWays(
          moves,
          at,
          kind,
          vias.map((m) => m.id),
          toWays,
          mode,
          wrongs,
          demands,
        );
      }
    }
    for (const demand of demands)
      if (!demands.some((other) => other.at === demand.at && other.obeyed)) wrongs.push(demand.wrong);
  }

  /**
   * `moves[at - 1]` is on the from way: does the route follow the via ways from end to end and then make a
   * forbidden turn?
   */
  #judgeViaWays(
    moves: readonly Move[],
    at: number,
    kind: string,
    vias: readonly number[],
    toWays: readonly number[],
    mode: TravelMode,
    wrongs: string[],
    demands: Demand[],
  ): void {
    const start = moves[at - 1]!.nodes.at(-1)!;
    if (!this.#endsAt(moves[at - 1]!.way, start)) return;
    const isOnlyWay = kind.startsWith('only_') && this.#leads(start, vias, toWays, mode);
    let next = at;
    for (const via of vias) {
      const nodes: number[] = [];
      while (
        moves[next]?.way === via &&
        (nodes.length === 0 || moves[next]!.forward === moves[next - 1]!.forward)
      ) {
        nodes.push(...(nodes.length === 0 ? moves[next]!.nodes : moves[next]!.nodes.slice(1)));
        if (isOnlyWay) demands.push({ at: next, obeyed: true, wrong: '' });
        next++;
      }
      if (nodes.length === this.#ways.get(via)?.refs.length) continue;
      const left = moves[next];
      const wrong = `${moves[at - 1]!.id} … ${left?.id}: ${kind} goes over ${vias.join(', ')}`;
      if (isOnlyWay && left !== undefined) demands.push({ at: next, obeyed: false, wrong });
      return;
    }
    const after = moves[next];
    if (after === undefined || !toWays.every((way) => this.#endsAt(way, after.nodes[0]!))) return;
    const taken = toWays.includes(after.way);
    const wrong = `${moves[at - 1]!.id} … ${after.id}: ${kind} over ${vias.join(', ')}`;
    if (kind.startsWith('only_')) demands.push({ at: next, obeyed: taken, wrong });
    else if (taken) wrongs.push(wrong);
  }

  /**
   * Whether the mode can drive all of the ways, each from end to end, from the node to where the last one is
   * turned off.
   */
  #leads(start: number, vias: readonly number[], toWays: readonly number[], mode: TravelMode): boolean {
    let node = start;
    for (const via of vias) {
      const { refs, tags } = this.#ways.get(via) ?? { refs: [], tags: new Map() };
      if (!this.#endsAt(via, node)) return false;
      const forward = refs[0] === node;
      if (!this.#isRoad(via, mode, forward)) return false;
      if (this.#accessOf(tags, via, mode, forward).said === 'no') return false;
      node = (forward ? refs.at(-1) : refs[0])!;
    }
    const opens = (way: number): boolean => {
      const { refs } = this.#ways.get(way)!;
      const forward = refs[0] === node;
      return this.#isRoad(way, mode, forward);
    };
    return toWays.every((way) => this.#endsAt(way, node)) && toWays.some(opens);
  }

  /**
   * The turns at a node that a relation means, each by the nodes before and after. A member that passes
   * through the node has two arms there; the name of the turn says which is meant. Undefined if this is
   * ambiguous; then nothing is checked.
   */
  #turnsMeant(
    fromWay: number,
    via: number,
    toWays: readonly number[],
    kind: string,
  ): TurnMeant[] | undefined {
    const all: TurnMeant[] = [];
    for (const way of toWays) {
      const turns = this.#armsAt(fromWay, via).flatMap((before) =>
        this.#armsAt(way, via).map((after) => ({ before, after, way })),
      );
      const wanted = { left: -90, right: 90, straight: 0, u: 180 }[
        /_(left|right|straight|u)_/.exec(kind)?.[1] ?? ''
      ];
      if (turns.length < 2 || wanted === undefined) {
        all.push(...turns);
        continue;
      }
      const back = turns.filter(({ before, after }) => before === after);
      if (wanted === 180 && back.length > 0) {
        all.push(...back);
        continue;
      }
      const off = turns.map(({ before, after }) => {
        const away = Math.abs(this.#turnDeg(before, via, after) - wanted) % 360;
        return Math.min(away, 360 - away);
      });
      const best = off.indexOf(Math.min(...off));
      // Two arms that fit about equally well allow no decision.
      if (off.some((away, i) => i !== best && away < off[best]! + 40)) return undefined;
      all.push(turns[best]!);
    }
    return all;
  }

  /** Neighbours of a node along a way. */
  #armsAt(way: number, node: number): number[] {
    const refs = this.#ways.get(way)?.refs ?? [];
    const arms = new Set<number>();
    for (const [i, ref] of refs.entries())
      if (ref === node)
        for (const arm of [refs[i - 1], refs[i + 1]]) if (arm !== undefined && arm !== node) arms.add(arm);
    return [...arms];
  }

  /** Degrees from straight on, clockwise. */
  #turnDeg(before: number, at: number, after: number): number {
    const course = (from: number, to: number): number => {
      const [lng1, lat1] = this.#places.get(from) ?? [0, 0];
      const [lng2, lat2] = this.#places.get(to) ?? [0, 0];
      const squeeze = Math.cos((lat1 * Math.PI) / 1.8e9);
      return (Math.atan2((lng2 - lng1) * squeeze, lat2 - lat1) * 180) / Math.PI;
    };
    const turn = (course(at, after) - course(before, at) + 720) % 360;
    return turn > 180 ? turn - 360 : turn;
  }

  #endsAt(way: number, node: number): boolean {
    const refs = this.#ways.get(way)?.refs ?? [];
    return (refs[0] === node) !== (refs.at(-1) === node) && !refs.slice(1, -1).includes(node);
  }

  /** Private ways that are connected to any of these, including these. */
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

  #touches(way: number, area: ReadonlySet<number>): boolean {
    return this.#ways.get(way)!.refs.some((node) => this.#waysAt(node).some((other) => area.has(other)));
  }

  /** By its class and its direction, ridden, driven, walked or pushed. */
  #isRoad(way: number, mode: TravelMode, forward: boolean): boolean {
    const { tags } = this.#ways.get(way) ?? { tags: new Map<string, string>() };
    const country = this.#countryOf(way);
    const as = travelsAs(tags, mode, forward, this.#holds, country);
    return (
      wayIsOpen(tags, as, forward, this.#holds, country) && directionIsOpen(tags, as, forward, this.#holds)
    );
  }

  #hasPrivate(way: number, mode: TravelMode): boolean {
    const tags = this.#ways.get(way)!.tags;
    return [true, false].some((forward) => this.#accessOf(tags, way, mode, forward).said === 'private');
  }

  #waysAt(node: number): readonly number[] {
    if (this.#waysOfNode.size === 0)
      for (const [way, { refs }] of this.#ways)
        for (const ref of refs) this.#waysOfNode.set(ref, [...(this.#waysOfNode.get(ref) ?? []), way]);
    return this.#waysOfNode.get(node) ?? [];
  }

  #isPrivate({ way, tags, forward }: Move, mode: TravelMode): boolean {
    return this.#accessOf(tags, way, mode, forward).said === 'private';
  }

  #isAtGate(nodes: readonly number[], mode: TravelMode): boolean {
    return this.#isPrivateGate(nodes[0]!, mode) || this.#isPrivateGate(nodes.at(-1)!, mode);
  }

  /**
   * A gate that only visitors pass. That of a private road is a part of it; one that is private by `access`
   * does not hold those up who have a right of their own on all roads there.
   */
  #isPrivateGate(node: number, mode: TravelMode): boolean {
    const tags = this.#nodes.get(node);
    const gate = tags === undefined ? undefined : privateGate(tags, mode);
    if (gate === undefined) return false;
    const ways = this.#waysAt(node);
    if (ways.some((way) => this.#hasPrivate(way, mode))) return false;
    const isOwn = (way: number): boolean =>
      [true, false].some((forward) => {
        const { said, named } = access(this.#ways.get(way)!.tags, mode, forward, this.#holds);
        return said === 'yes' && named;
      });
    return gate.named || !ways.every(isOwn);
  }

  /** From a node along a way, a private gate comes before the next crossing. */
  #leadsToGate(way: number, at: number, forward: boolean, mode: TravelMode): boolean {
    const { refs } = this.#ways.get(way)!;
    for (let i = at + (forward ? 1 : -1); refs[i] !== undefined; i += forward ? 1 : -1) {
      if (this.#isPrivateGate(refs[i]!, mode)) return true;
      if (this.#nodes.has(refs[i]!) || this.#waysAt(refs[i]!).length > 1) return false;
    }
    return false;
  }

  #blocks(node: number, mode: TravelMode): boolean {
    const tags = this.#nodes.get(node);
    return tags !== undefined && barrierStops(tags, mode);
  }
}

/** At `moves[at]` a relation names the only continuation. */
interface Demand {
  readonly at: number;
  readonly obeyed: boolean;
  readonly wrong: string;
}

interface TurnMeant {
  readonly before: number;
  readonly after: number;
  readonly way: number;
}

interface Move {
  readonly id: string;
  readonly way: number;
  readonly tags: Tags;
  readonly nodes: readonly number[];
  readonly forward: boolean;
}
