import type { MapElements, TaggedNode, TaggedRelation, TaggedWay } from '#osm/elements/map-elements.js';
import { isFerry } from '#osm/elements/osm-extract.js';
import { RulesReader } from '#osm/profiles/rules-reader.js';
import type { Tags } from '#schemas/osm-sink.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import { Memo } from '../gazetteer/memo.js';
import { modesOf, type Road } from '../gazetteer/road.js';
import { type AddressedHouse, HouseLines, type StreetOfMember, StreetsOfMembers } from './extract-houses.js';
import { locatedNode, locatedRelation, locatedWay } from './extract-places.js';
import { type ExtractedFeature, extractFeature } from './extracted-feature.js';
import { RoadSlots } from './road-slots.js';
import { WayFeatures } from './way-features.js';

/**
 * The places, addresses and roads of an extract, in the order of nodes, ways and relations, each by id.
 */
export interface ExtractedFeatures {
  readonly features: readonly ExtractedFeature[];
  /** Houses between the numbered nodes of `addr:interpolation` lines. */
  readonly houses: readonly AddressedHouse[];
  /** Roads and ferries with two points or more, for any mode. */
  readonly roads: readonly Road[];
  /** Roads that were added and removed since the last call. */
  readonly addedRoads: readonly Road[];
  readonly removedRoads: readonly Road[];
  readonly slots: RoadSlots;
  /** Whether every way of the relation is unchanged since the last call, or is still missing. */
  readonly waysAreSame: (relation: TaggedRelation) => boolean;
}

/**
 * Reads each element once, and later only those that changed: most are buildings and fields, which are never
 * searched.
 */
export class FeatureExtractor {
  readonly #reader = new RulesReader();
  readonly #slots = new RoadSlots();
  #removedRoads: readonly Road[] = [];
  #streetOf: StreetOfMember | undefined;
  readonly #streets = new StreetsOfMembers();
  readonly #lines = new HouseLines();
  readonly #nodes = new Memo<TaggedNode, ExtractedFeature | undefined>(byId);
  readonly #ways = new WayFeatures();
  readonly #relations = new Memo<TaggedRelation, ExtractedFeature | undefined>(byId);

  of({ nodes, ways, relations }: MapElements, fold: FoldName): ExtractedFeatures {
    for (const { slot } of this.#removedRoads) this.#slots.release(slot);
    const streetOf = this.#streets.of(ways, relations);
    const isSameAnswer = streetOf === this.#streetOf;
    this.#streetOf = streetOf;
    const isAnswered = (feature: ExtractedFeature | undefined): boolean =>
      feature?.member === undefined || streetOf.get(feature.member.key) === feature.member.street;
    const nodeFeatures = this.#nodes.of(
      nodes,
      (node) => (hasPlaceTags(node.tags) ? extractFeature(locatedNode(node), streetOf, fold) : undefined),
      isSameAnswer ? undefined : isAnswered,
    );
    const wayFeatures = this.#ways;
    wayFeatures.update(
      ways,
      (way) => {
        const { tags, lngLatE7 } = way;
        // Every other way of most extracts is a building without a name or an address.
        if (tags.size === 0 || lngLatE7.length === 0 || (tags.size === 1 && tags.has('building')))
          return undefined;
        const isLine = tags.has('addr:interpolation');
        const isRoad = lngLatE7.length >= 4 && (tags.has('highway') || isFerry(tags));
        const isPlace = hasPlaceTags(tags) && !isMerelyRoad(tags);
        if (!(isLine || isRoad || isPlace)) return undefined;
        return {
          feature: isPlace ? extractFeature(locatedWay(way), streetOf, fold) : undefined,
          road: isRoad ? this.#roadOf(way, fold) : undefined,
          isLine,
        };
      },
      isSameAnswer ? undefined : isAnswered,
    );
    const changed = wayFeatures.changedIds;
    const waysAreSame = ({ members }: TaggedRelation): boolean => {
      for (const { type, id } of members) if (type === 'way' && changed.has(id)) return false;
      return true;
    };
    const relationFeatures = this.#relations.of(
      relations,
      (relation) => {
        const { tags } = relation;
        if (tags.get('type') !== 'multipolygon' || !hasPlaceTags(tags)) return undefined;
        const located = locatedRelation(relation, ways);
        return located === undefined ? undefined : extractFeature(located, streetOf, fold);
      },
      (feature, relation) =>
        isAnswered(feature) && (relation.tags.get('type') !== 'multipolygon' || waysAreSame(relation)),
    );
    const features: ExtractedFeature[] = [];
    for (const feature of nodeFeatures) if (feature !== undefined) features.push(feature);
    for (const { feature } of wayFeatures.features) features.push(feature);
    for (const feature of relationFeatures) if (feature !== undefined) features.push(feature);
    const { roads, lines, addedRoads, removedRoads } = wayFeatures;
    this.#removedRoads = removedRoads;
    return {
      features,
      houses: this.#lines.of(lines, nodes, streetOf, fold),
      roads,
      addedRoads,
      removedRoads,
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

/** A road with only a name is not a place. */
const isMerelyRoad = (tags: Tags): boolean =>
  tags.has('highway') &&
  !(tags.has('amenity') || tags.has('place') || tags.has('addr:housenumber') || tags.has('addr:country'));

/** Unnamed features that people search for are amenities or shops. */
const hasPlaceTags = (tags: Tags): boolean =>
  tags.has('name') ||
  tags.has('addr:housenumber') ||
  tags.has('amenity') ||
  tags.has('shop') ||
  tags.has('place') ||
  tags.has('addr:country');
