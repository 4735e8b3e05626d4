import { type BuildMemory, memoryOfOneBuild } from '#map-data/arrays/build-memory.js';
import type { MapElements, TaggedWay } from '#osm/elements/map-elements.js';
import { layerIndex } from '../../format/layers.js';
import type { MapFeature, Shape } from '../../format/map-feature.js';
import {
  mayHaveFeatures,
  nodeFeatures,
  relationFeatures,
  wayFeatures,
} from '../features/element-features.js';
import { shapeBox } from '../geometry/shape-box.js';
import { ContentMixer } from '../hashing/content-mixer.js';
import { mixLook, mixShape } from '../hashing/hash-feature.js';
import type { TileSources } from '../tiles/write-tile.js';
import { type ElementTable, type HashedElements, hashElements } from './element-table.js';
import { FeatureNumbers } from './feature-numbers.js';
import { FeatureRows } from './feature-rows.js';
import { changedHeads, joinedLine, type LineChains, linkLines } from './link-lines.js';
import { type PairedElements, pairByHash, pairByIdentity } from './pair-elements.js';
import { sameRows, takenRows } from './pair-rows.js';

/**
 * The features of each element of an extract. With those of the previous map, unchanged elements need not be
 * processed again.
 */
export interface DrawnElements {
  readonly elements: ElementTable;
  /** [elements + 1] First row of each element. */
  readonly firstRow: Uint32Array;
  readonly rows: FeatureRows;
  /** By element the skipped rings, ascending. */
  readonly broken: ReadonlyMap<number, number>;
}

/** All features of an extract, as rows; the features themselves are created on demand. */
export class CollectedRows implements DrawnElements {
  readonly elements: HashedElements;
  readonly firstRow: Uint32Array;
  readonly rows: FeatureRows;
  readonly broken = new Map<number, number>();
  /** The unchanged parts; undefined without a previous map. */
  readonly paired: PairedElements | undefined;
  /** The ways that were added, removed or changed, if only those were read. */
  readonly changedWays: readonly TaggedWay[] | undefined;
  /**
   * For each row the previous row of the same feature, −1 if there is none; undefined without a previous map.
   */
  readonly rowBefore: Int32Array | undefined;
  readonly numbers: FeatureNumbers;
  readonly #source: MapElements;
  readonly #chains: LineChains;
  /** Features of the elements that were processed for their rows. */
  readonly #drawn = new Map<number, readonly MapFeature[]>();

  /**
   * @param before if it is still in memory, elements are compared by identity.
   * @param memory must differ from the memory of `before`.
   */
  constructor(source: MapElements, before?: DrawnElements, memory: BuildMemory = memoryOfOneBuild()) {
    const { scratch, kept } = memory;
    const known = before instanceof CollectedRows ? before : undefined;
    this.#source = source;
    const byIdentity = known && pairByIdentity(known.elements, source, memory);
    this.changedWays = byIdentity?.changed.ways;
    this.paired = byIdentity ?? (before && pairByHash(before.elements, source));
    this.elements = this.paired?.elements ?? hashElements(source);
    this.firstRow = kept.uint32('first rows', this.elements.ids.length + 1);
    this.rows = new FeatureRows(before?.rows.length, kept);
    this.#collect(before);
    const taken = before && takenRows(before, this, this.paired!, scratch);
    const chainsBefore = known && taken && { ...taken, chains: known.#chains, rows: known.rows };
    this.#chains = linkLines(this.rows, this.#lineOf, memory, chainsBefore);
    for (const head of changedHeads(this.rows, this.#chains, chainsBefore)) this.#hashChain(head);
    this.rowBefore = before && sameRows(before, this, this.paired!, taken!.taken, scratch);
    this.numbers = new FeatureNumbers(
      this.rows.length,
      kept,
      known && { numbers: known.numbers, rowBefore: this.rowBefore! },
    );
  }

  /** Rings of multipolygons that were left out because they do not close or enclose nothing. */
  get brokenRings(): number {
    let sum = 0;
    for (const rings of this.broken.values()) sum += rings;
    return sum;
  }

  /** The features of these rows, in tile order. A line includes all lines that it is joined to. */
  features(chosen: Iterable<number>): MapFeature[] {
    const { rank, layer, isLine } = this.rows;
    const { head } = this.#chains;
    const heads = new Set<number>();
    for (const row of chosen) heads.add(isLine[row] === 1 ? head[row]! : row);
    return [...heads]
      .sort((a, b) => layer[a]! - layer[b]! || rank[a]! - rank[b]! || a - b)
      .map((row) => this.#feature(row));
  }

  /** The order of features in tiles, by their numbers. */
  get order(): Required<TileSources>['order'] {
    const { numbers } = this;
    const { rank } = this.rows;
    return {
      isFresh: (number) => numbers.isFresh(number),
      isGone: (number) => numbers.rowOf(number) < 0,
      precedes: (one, other) => {
        const [a, b] = [numbers.rowOf(one), numbers.rowOf(other)];
        return rank[a]! < rank[b]! || (rank[a]! === rank[b]! && a < b);
      },
    };
  }

  /** From here on, features are created again. */
  release(): void {
    this.#drawn.clear();
  }

  #feature(row: number): MapFeature {
    const { element, nth, isLine } = this.rows;
    const { drawing, rank, shape } = this.#featuresOf(element[row]!)[nth[row]!]!;
    const number = this.numbers.of(row);
    if (isLine[row] === 0) return { drawing, rank, shape, number };
    const line = joinedLine(row, this.#chains.next, this.#lineOf);
    return { drawing, rank, shape: { type: 'line', line }, number };
  }

  #featuresOf(element: number): readonly MapFeature[] {
    let features = this.#drawn.get(element);
    if (features === undefined) {
      features = this.#drawElement(element).features;
      this.#drawn.set(element, features);
    }
    return features;
  }

  #drawElement(element: number): { readonly features: MapFeature[]; readonly broken: number } {
    const { nodes, ways, relations } = this.#source;
    if (element < nodes.length) return { features: nodeFeatures(nodes[element]!), broken: 0 };
    if (element < nodes.length + ways.length) {
      const way = ways[element - nodes.length]!;
      return { features: wayFeatures(way, this.elements.adminLevels.get(way.id)), broken: 0 };
    }
    const relation = relations[element - nodes.length - ways.length]!;
    return mayHaveFeatures(relation)
      ? relationFeatures(relation, this.elements.wayOf)
      : { features: [], broken: 0 };
  }

  readonly #lineOf = (row: number): Int32Array =>
    this.#source.ways[this.rows.element[row]! - this.#source.nodes.length]!.lngLatE7;

  #collect(before: DrawnElements | undefined): void {
    const { ids, nodes, ways } = this.elements;
    const { twins, isSame } = this.paired ?? {};
    const broken = new BrokenBefore(before?.broken);
    for (let element = 0; element < ids.length; element++) {
      if (isSame?.[element] !== 1) {
        this.firstRow[element] = this.rows.length;
        this.#draw(element, element < nodes ? 'node' : element < nodes + ways ? 'way' : 'relation');
        continue;
      }
      const first = element;
      const twin = twins![first]!;
      element = lastOfRun(isSame, twins!, first);
      const [startRow, endRow] = [before!.firstRow[twin]!, before!.firstRow[twin + element + 1 - first]!];
      const row = this.rows.copy(before!.rows, startRow, endRow, first - twin);
      for (let each = first; each <= element; each++)
        this.firstRow[each] = before!.firstRow[twin + each - first]! - startRow + row;
      for (const [at, rings] of broken.among(twin, element + 1 - first))
        this.broken.set(at + first - twin, rings);
    }
    this.firstRow[ids.length] = this.rows.length;
  }

  #draw(element: number, kind: 'node' | 'way' | 'relation'): void {
    const { features, broken } = this.#drawElement(element);
    if (broken > 0) this.broken.set(element, broken);
    if (features.length === 0) return;
    this.#drawn.set(element, features);
    const { rows } = this;
    const mixer = new ContentMixer();
    for (const [nth, { drawing, shape, rank }] of features.entries()) {
      const row = rows.add();
      rows.element[row] = element;
      rows.nth[row] = nth;
      rows.isLine[row] = shape.type === 'line' ? 1 : 0;
      rows.layer[row] = layerIndex.get(drawing.layer)!;
      rows.minZoom[row] = Math.max(0, drawing.minZoom);
      rows.rank[row] = rank;
      rows.box.set(roundBox(shape), 4 * row);
      mixLook(mixer.reset(), drawing);
      const [lookA, lookB] = [mixer.a, mixer.b];
      rows.look[2 * row] = shape.type === 'line' ? lookA : 0;
      rows.look[2 * row + 1] = shape.type === 'line' ? lookB : 0;
      // Kind and id decide the order of equal features in a tile.
      mixer.text(kind);
      mixer.id(this.elements.ids[element]!);
      mixer.add(nth);
      mixShape(mixer, shape);
      rows.whole[2 * row] = mixer.a;
      rows.whole[2 * row + 1] = mixer.b;
    }
  }

  /** A line consists of all pieces of its chain, in their order. */
  #hashChain(head: number): void {
    const { look, element, nth, whole } = this.rows;
    const { next } = this.#chains;
    const mixer = new ContentMixer();
    mixer.add(look[2 * head]!);
    mixer.add(look[2 * head + 1]!);
    mixer.id(this.elements.ids[element[head]!]!);
    mixer.add(nth[head]!);
    for (let piece = head; piece !== -1; piece = next[piece]!) mixer.numbers(this.#lineOf(piece));
    for (let piece = head; piece !== -1; piece = next[piece]!) {
      whole[2 * piece] = mixer.a;
      whole[2 * piece + 1] = mixer.b;
    }
  }
}

/** The last of the elements from `first` on that are unchanged and have consecutive previous versions. */
function lastOfRun(isSame: Uint8Array, twins: Int32Array, first: number): number {
  let last = first;
  while (isSame[last + 1] === 1 && twins[last + 1] === twins[last]! + 1) last++;
  return last;
}

/** Rings that were left out before, requested by elements in ascending order. */
class BrokenBefore {
  readonly #entries: readonly (readonly [element: number, rings: number])[];
  #at = 0;

  constructor(broken: ReadonlyMap<number, number> = new Map()) {
    this.#entries = [...broken];
  }

  *among(first: number, count: number): Iterable<readonly [element: number, rings: number]> {
    for (; this.#at < this.#entries.length; this.#at++) {
      const entry = this.#entries[this.#at]!;
      if (entry[0] >= first + count) return;
      if (entry[0] >= first) yield entry;
    }
  }
}

/** The box of a line over the date line is not usable: the line may be visible anywhere. */
function roundBox(shape: Shape): readonly number[] {
  const [west, south, east, north] = shapeBox(shape);
  return east - west > 1_800_000_000
    ? [-1_800_000_000, south, 1_800_000_000, north]
    : [west, south, east, north];
}
