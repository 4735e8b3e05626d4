import { findElement } from '#osm/elements/find-element.js';
import type { TaggedNode, TaggedRelation, TaggedWay } from '#osm/elements/map-elements.js';
import type { OsmMember, Tags } from '#schemas/osm-sink.js';
import { parseHouseNumber, parseHouseNumbers } from '../../index/house-number.js';
import { limits } from '../../index/limits.js';
import { identityKey } from '../../index/place-identity.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import type { House } from '../gazetteer/gazetteer.js';
import { areSame } from '../gazetteer/memo.js';
import type { Located } from './extract-places.js';

/** A house and the street in its address. */
export interface AddressedHouse {
  readonly street: string;
  /** The street, folded. */
  readonly name: string;
  readonly house: House;
  /** Then the street is known only from addresses. */
  readonly elementKind: 'node' | 'way' | 'relation';
  readonly elementId: number;
}

/** Name of the street of a house according to a relation, by the identity of the house. */
export type StreetOfMember = ReadonlyMap<number, string>;

/**
 * Streets by member, for houses whose street comes from a relation. The same object as long as none changes.
 */
export class StreetsOfMembers {
  #last: StreetOfMember = new Map();

  of(ways: readonly TaggedWay[], relations: readonly TaggedRelation[]): StreetOfMember {
    const streets = new Map<number, string>();
    for (const { tags, members } of relations) {
      const type = tags.get('type');
      if (type !== 'associatedStreet' && type !== 'street') continue;
      const name = tags.get('name') ?? nameOfStreet(ways, members);
      if (name === undefined) continue;
      for (const { type: kind, id, role } of members)
        if (role === 'house' || role === 'address') streets.set(identityKey(kind, id), name);
    }
    const last = this.#last;
    const isSame = streets.size === last.size && [...streets].every(([key, name]) => last.get(key) === name);
    if (!isSame) this.#last = streets;
    return this.#last;
  }
}

function nameOfStreet(ways: readonly TaggedWay[], members: readonly OsmMember[]): string | undefined {
  for (const { role, type, id } of members) {
    if (role !== 'street' || type !== 'way') continue;
    const name = findElement(ways, id)?.tags.get('name');
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Identity of a house without a street in its own tags. */
export const streetAskedOf = ({ kind, id, tags }: Located): number | undefined =>
  tags.has('addr:housenumber') && !tags.has('addr:street') ? identityKey(kind, id) : undefined;

/** The houses of an element: `12-18;22` are several. Empty when it has no number or no street. */
export function housesOf(
  element: Located,
  streetOf: StreetOfMember,
  fold: FoldName,
): readonly AddressedHouse[] {
  const { kind, id, tags, lngE7, latE7 } = element;
  const numbers = tags.get('addr:housenumber');
  if (numbers === undefined) return noHouses;
  const key = identityKey(kind, id);
  const street = tags.get('addr:street') ?? streetOf.get(key) ?? tags.get('addr:place');
  if (street === undefined || street.length > 200) return noHouses;
  const place = { lngE7, latE7, key, interpolated: false, ...addressOf(tags) };
  const name = fold(street);
  return parseHouseNumbers(numbers).map((number) => ({
    street,
    name,
    house: { ...number, ...place },
    elementKind: kind,
    elementId: id,
  }));
}

const noHouses: readonly AddressedHouse[] = [];

const addressOf = (tags: Tags): Pick<House, 'postcode' | 'city'> => ({
  postcode: tags.get('addr:postcode') ?? '',
  city: tags.get('addr:city') ?? '',
});

const steps: Readonly<Record<string, number>> = { odd: 2, even: 2, all: 1 };

/** Houses along `addr:interpolation` lines, between the numbered nodes that the line runs through. */
export class HouseLines {
  #lines: readonly TaggedWay[] = [];
  #numbered: readonly TaggedNode[] = [];
  #streetOf: StreetOfMember | undefined;
  #houses: readonly AddressedHouse[] = [];

  /** The same objects as long as neither lines nor numbers change. */
  of(
    lines: readonly TaggedWay[],
    nodes: readonly TaggedNode[],
    streetOf: StreetOfMember,
    fold: FoldName,
  ): readonly AddressedHouse[] {
    const numbered = lines.length === 0 ? [] : nodes.filter(({ tags }) => tags.has('addr:housenumber'));
    const isSame =
      areSame(lines, this.#lines) && areSame(numbered, this.#numbered) && streetOf === this.#streetOf;
    if (!isSame) this.#houses = [...housesOnLines(lines, numbered, streetOf, fold)];
    [this.#lines, this.#numbered, this.#streetOf] = [lines, numbered, streetOf];
    return this.#houses;
  }
}

function* housesOnLines(
  lines: readonly TaggedWay[],
  nodes: readonly TaggedNode[],
  streetOf: StreetOfMember,
  fold: FoldName,
): Iterable<AddressedHouse> {
  const numbered = new Map(nodes.map((node) => [`${node.lngE7},${node.latE7}`, node] as const));
  for (const line of lines) {
    const step = steps[line.tags.get('addr:interpolation')!];
    if (step === undefined) continue;
    let last: { at: number; number: number } | undefined;
    for (let at = 0; at < line.lngLatE7.length; at += 2) {
      const node = numbered.get(`${line.lngLatE7[at]},${line.lngLatE7[at + 1]}`);
      const number = parseHouseNumber(node?.tags.get('addr:housenumber') ?? '')?.number;
      if (node === undefined || number === undefined) continue;
      const street =
        node.tags.get('addr:street') ??
        streetOf.get(identityKey('node', node.id)) ??
        line.tags.get('addr:street') ??
        streetOf.get(identityKey('way', line.id));
      if (last !== undefined && street !== undefined)
        for (const house of between(line, last, { at, number }, step))
          yield {
            street,
            name: fold(street),
            house: { ...house, ...addressOf(node.tags) },
            elementKind: 'way',
            elementId: line.id,
          };
      last = { at, number };
    }
  }
}

function* between(
  line: TaggedWay,
  from: { readonly at: number; readonly number: number },
  to: { readonly at: number; readonly number: number },
  step: number,
): Iterable<Omit<House, 'postcode' | 'city'>> {
  const direction = Math.sign(to.number - from.number);
  const count = Math.abs(to.number - from.number) / step - 1;
  if (count > limits.interpolatedMax || (to.number - from.number) % step !== 0) return;
  const points = line.lngLatE7.subarray(from.at, to.at + 2);
  for (let i = 1; i <= count; i++) {
    const [lngE7, latE7] = pointAlong(points, i / (count + 1));
    yield {
      number: from.number + direction * step * i,
      suffix: '',
      lngE7,
      latE7,
      key: identityKey('way', line.id),
      interpolated: true,
    };
  }
}

function pointAlong(line: Int32Array, share: number): [number, number] {
  const squash = Math.cos((line[1] / 1e7) * (Math.PI / 180));
  const lengths: number[] = [];
  for (let i = 2; i < line.length; i += 2)
    lengths.push(Math.hypot((line[i] - line[i - 2]) * squash, line[i + 1] - line[i - 1]));
  let rest = share * lengths.reduce((sum, each) => sum + each, 0);
  for (const [index, length] of lengths.entries()) {
    if (rest <= length && length > 0) {
      const at = 2 * index;
      const t = rest / length;
      return [
        Math.round(line[at] + t * (line[at + 2] - line[at])),
        Math.round(line[at + 1] + t * (line[at + 3] - line[at + 1])),
      ];
    }
    rest -= length;
  }
  return [line[line.length - 2], line[line.length - 1]];
}

/** The widest gap between two houses of one side that is interpolated. */
const gapMax = 20;
const gapMetresE7 = 50_000;

/**
 * The numbers of one street in order, each once, with the missing numbers between two neighbours on one side
 * of the road interpolated. `streetKey` is their street.
 */
export function completeHouses(houses: readonly House[], streetKey: number): House[] {
  const sorted = [...houses].sort(
    (a, b) =>
      a.number - b.number ||
      (a.suffix < b.suffix ? -1 : a.suffix > b.suffix ? 1 : 0) ||
      Number(a.interpolated) - Number(b.interpolated) ||
      a.key - b.key,
  );
  const each = sorted.filter(
    (house, index) =>
      index === 0 || house.number !== sorted[index - 1].number || house.suffix !== sorted[index - 1].suffix,
  );
  const found = [...each];
  for (const parity of [0, 1]) {
    const side = each.filter(({ number }) => number % 2 === parity);
    for (let i = 1; i < side.length; i++) {
      const [a, b] = [side[i - 1], side[i]];
      const missing = (b.number - a.number) / 2 - 1;
      if (missing < 1 || b.number - a.number > gapMax) continue;
      if (Math.abs(a.lngE7 - b.lngE7) > gapMetresE7 || Math.abs(a.latE7 - b.latE7) > gapMetresE7) continue;
      for (let k = 1; k <= missing; k++) {
        const t = k / (missing + 1);
        found.push({
          number: a.number + 2 * k,
          suffix: '',
          lngE7: Math.round(a.lngE7 + t * (b.lngE7 - a.lngE7)),
          latE7: Math.round(a.latE7 + t * (b.latE7 - a.latE7)),
          key: streetKey,
          interpolated: true,
          postcode: a.postcode === b.postcode ? a.postcode : '',
          city: a.city === b.city ? a.city : '',
        });
      }
    }
  }
  return found.sort(
    (a, b) => a.number - b.number || (a.suffix < b.suffix ? -1 : a.suffix > b.suffix ? 1 : 0),
  );
}
