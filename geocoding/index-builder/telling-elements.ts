import type { MapElements, TaggedNode, TaggedRelation, TaggedWay } from '#osm/elements/map-elements.js';
import { isFerry } from '#osm/elements/osm-extract.js';
import { RulesReader } from '#osm/profiles/rules-reader.js';
import type { Tags } from '#schemas/osm-sink.js';
import { type Finding, findingOf } from './finding.js';
import type { FoldName } from './fold-name.js';
import { type AddressedHouse, HouseLines, type StreetOfMember, StreetsOfMembers } from './gather-houses.js';
import { locatedNode, locatedRelation, locatedWay } from './gather-places.js';
import { Memo } from './memo.js';
import { modesOf, type Road } from './road.js';
import { RoadSlots } from './road-slots.js';
import { TellingWays } from './telling-ways.js';

/**
 * Of an extract what tells of places, addresses and roads, in the order of nodes, ways and relations, each by
 * ids.
 */
export interface TellingElements {
  readonly findings: readonly Finding[];
  /** Houses between the numbered nodes of `addr:interpolation` lines. */
  readonly houses: readonly AddressedHouse[];
  /** Roads and ferries with two points or more, whoever may use them. */
  readonly roads: readonly Road[];
  /** Of them those that were not among the last, and those of the last that are not among them. */
  readonly cameRoads: readonly Road[];
  readonly goneRoads: readonly Road[];
  readonly slots: RoadSlots;
  /** Is every way the same that it was the last time, or is missing as it was? */
  readonly waysAreSame: (relation: TaggedRelation) => boolean;
}

/**
 * Looks once at each element, and the next time at those that changed: most are buildings and fields of which
 * nobody asks.
 */
export class TellingMemory {
  readonly #reader = new RulesReader();
  readonly #slots = new RoadSlots();
  #goneRoads: readonly Road[] = [];
  #streetOf: StreetOfMember | undefined;
  readonly #streets = new StreetsOfMembers();
  readonly #lines = new HouseLines();
  readonly #nodes = new Memo<TaggedNode, Finding | undefined>(byId);
  readonly #ways = new TellingWays();
  readonly #relations = new Memo<TaggedRelation, Finding | undefined>(byId);

  of({ nodes, ways, relations }: MapElements, fold: FoldName): TellingElements {
    for (const { slot } of this.#goneRoads) this.#slots.release(slot);
    const streetOf = this.#streets.of(ways, relations);
    const isSameAnswer = streetOf === this.#streetOf;
    this.#streetOf = streetOf;
    const isAnswered = (finding: Finding | undefined): boolean =>
      finding?.member === undefined || streetOf.get(finding.member.key) === finding.member.street;
    const tellingNodes = this.#nodes.of(
      nodes,
      (node) => (tellsOfPlace(node.tags) ? findingOf(locatedNode(node), streetOf, fold) : undefined),
      isSameAnswer ? undefined : isAnswered,
    );
    const tellingWays = this.#ways;
    tellingWays.update(
      ways,
      (way) => {
        const { tags, lngLatE7 } = way;
        // Every other one of most extracts is a building of which nothing is told.
        if (tags.size === 0 || lngLatE7.length === 0 || (tags.size === 1 && tags.has('building')))
          return undefined;
        const isLine = tags.has('addr:interpolation');
        const isRoad = lngLatE7.length >= 4 && (tags.has('highway') || isFerry(tags));
        const tells = tellsOfPlace(tags) && !isMerelyRoad(tags);
        if (!(isLine || isRoad || tells)) return undefined;
        return {
          finding: tells ? findingOf(locatedWay(way), streetOf, fold) : undefined,
          road: isRoad ? this.#roadOf(way, fold) : undefined,
          isLine,
        };
      },
      isSameAnswer ? undefined : isAnswered,
    );
    const changed = tellingWays.changedIds;
    const waysAreSame = ({ members }: TaggedRelation): boolean => {
      for (const { type, id } of members) if (type === 'way' && changed.has(id)) return false;
      return true;
    };
    const tellingRelations = this.#relations.of(
      relations,
      (relation) => {
        const { tags } = relation;
        if (tags.get('type') !== 'multipolygon' || !tellsOfPlace(tags)) return undefined;
        const located = locatedRelation(relation, ways);
        return located === undefined ? undefined : findingOf(located, streetOf, fold);
      },
      (finding, relation) =>
        isAnswered(finding) && (relation.tags.get('type') !== 'multipolygon' || waysAreSame(relation)),
    );
    const findings: Finding[] = [];
    for (const finding of tellingNodes) if (finding !== undefined) findings.push(finding);
    for (const { finding } of tellingWays.findings) findings.push(finding);
    for (const finding of tellingRelations) if (finding !== undefined) findings.push(finding);
    const { roads, lines, cameRoads, goneRoads } = tellingWays;
    this.#goneRoads = goneRoads;
    return {
      findings,
      houses: this.#lines.of(lines, nodes, streetOf, fold),
      roads,
      cameRoads,
      goneRoads,
      slots: this.#slots,
      waysAreSame,
    };
  }

  #roadOf(way: TaggedWay, fold: FoldName): Road {
    const name = fold(way.tags.get('name') ?? '');
    const streetName = way.tags.has('highway') ? name : '';
    return { way, name, streetName, modes: modesOf(this.#reader, way), slot: this.#slots.take() };
  }
}

const byId = ({ id }: { readonly id: number }): number => id;

/** What a road says beside its name is told by few; it is no place. */
const isMerelyRoad = (tags: Tags): boolean =>
  tags.has('highway') &&
  !(tags.has('amenity') || tags.has('place') || tags.has('addr:housenumber') || tags.has('addr:country'));

/** What people look for although it has no name is an amenity or a shop. */
const tellsOfPlace = (tags: Tags): boolean =>
  tags.has('name') ||
  tags.has('addr:housenumber') ||
  tags.has('amenity') ||
  tags.has('shop') ||
  tags.has('place') ||
  tags.has('addr:country');
