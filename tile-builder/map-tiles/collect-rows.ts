import type { MapElements } from '../osm/map-elements.js';
import { ContentMixer } from './content-mixer.js';
import { drawNode, drawRelation, drawWay, mayDrawRelation } from './draw-element.js';
import { type ElementTable, type HashedElements, hashElements, twinsOf } from './element-table.js';
import { FeatureRows } from './feature-rows.js';
import { layerIndex } from './layers.js';
import { joinedLine, type LineChains, linkLines } from './link-lines.js';
import type { Drawing, MapFeature, Shape } from './map-feature.js';
import { shapeBox } from './shape-box.js';

/** What was drawn of each element of an extract; of the map before it spares drawing what is as it was. */
export interface DrawnElements {
  readonly elements: ElementTable;
  /** [elements + 1] First row of each element. */
  readonly firstRow: Uint32Array;
  readonly rows: FeatureRows;
  /** By element the rings that were left out. */
  readonly broken: ReadonlyMap<number, number>;
}

/** All features of an extract, as rows; the features themselves are made where they are asked for. */
export class CollectedRows implements DrawnElements {
  readonly elements: HashedElements;
  readonly firstRow: Uint32Array;
  readonly rows: FeatureRows;
  readonly broken = new Map<number, number>();
  /** By element the one of the same id before; undefined where there is no map before. */
  readonly twins: Int32Array | undefined;
  readonly #source: MapElements;
  readonly #chains: LineChains;
  /** Of the elements that were drawn for their rows. */
  readonly #drawn = new Map<number, readonly MapFeature[]>();

  constructor(source: MapElements, before?: DrawnElements) {
    this.#source = source;
    this.elements = hashElements(source);
    const { ids, hashes, nodes, ways } = this.elements;
    this.firstRow = new Uint32Array(ids.length + 1);
    this.rows = new FeatureRows(before?.rows.length);
    this.twins = before === undefined ? undefined : twinsOf(before.elements, this.elements);
    const known = before?.elements.hashes;
    for (let element = 0; element < ids.length; element++) {
      this.firstRow[element] = this.rows.length;
      const twin = this.twins?.[element] ?? -1;
      if (
        twin >= 0 &&
        known![2 * twin] === hashes[2 * element] &&
        known![2 * twin + 1] === hashes[2 * element + 1]
      )
        this.#take(before!, twin, element);
      else this.#draw(element, element < nodes ? 'node' : element < nodes + ways ? 'way' : 'relation');
    }
    this.firstRow[ids.length] = this.rows.length;
    this.#chains = linkLines(this.rows, this.#lineOf);
    this.#hashChains();
  }

  /** Rings of multipolygons that were left out because they do not close or enclose nothing. */
  get brokenRings(): number {
    let sum = 0;
    for (const rings of this.broken.values()) sum += rings;
    return sum;
  }

  /** The features of these rows, ascending, in the order in which they lie in tiles. A line is all that it is joined to. */
  features(chosen: readonly number[]): MapFeature[] {
    const { rank, layer, isLine } = this.rows;
    const { head } = this.#chains;
    const heads = new Set<number>();
    for (const row of chosen) heads.add(isLine[row] === 1 ? head[row]! : row);
    return [...heads]
      .sort((a, b) => layer[a]! - layer[b]! || rank[a]! - rank[b]! || a - b)
      .map((row) => this.#feature(row));
  }

  #feature(row: number): MapFeature {
    const { element, nth, isLine } = this.rows;
    const feature = this.#featuresOf(element[row]!)[nth[row]!]!;
    if (isLine[row] === 0) return feature;
    return { ...feature, shape: { type: 'line', line: joinedLine(row, this.#chains.next, this.#lineOf) } };
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
    if (element < nodes.length) return { features: drawNode(nodes[element]!), broken: 0 };
    if (element < nodes.length + ways.length) {
      const way = ways[element - nodes.length]!;
      return { features: drawWay(way, this.elements.adminLevels.get(way.id)), broken: 0 };
    }
    const relation = relations[element - nodes.length - ways.length]!;
    return mayDrawRelation(relation)
      ? drawRelation(relation, this.elements.wayOf)
      : { features: [], broken: 0 };
  }

  readonly #lineOf = (row: number): Int32Array =>
    this.#source.ways[this.rows.element[row]! - this.#source.nodes.length]!.lngLatE7;

  #take(before: DrawnElements, known: number, element: number): void {
    const end = before.firstRow[known + 1]!;
    for (let row = before.firstRow[known]!; row < end; row++) this.rows.copy(before.rows, row, element);
    const broken = before.broken.get(known);
    if (broken !== undefined) this.broken.set(element, broken);
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
      // Who comes first in a tile among equals is told by kind and id.
      mixer.text(kind);
      mixer.id(this.elements.ids[element]!);
      mixer.add(nth);
      for (const line of linesOf(shape)) mixer.numbers(line);
      rows.whole[2 * row] = mixer.a;
      rows.whole[2 * row + 1] = mixer.b;
    }
  }

  /** A line is what all pieces of its chain are, in their order. */
  #hashChains(): void {
    const { rows } = this;
    const { head, next } = this.#chains;
    const mixer = new ContentMixer();
    for (let row = 0; row < rows.length; row++) {
      if (head[row] !== row) continue;
      mixer.reset();
      mixer.add(rows.look[2 * row]!);
      mixer.add(rows.look[2 * row + 1]!);
      mixer.id(this.elements.ids[rows.element[row]!]!);
      mixer.add(rows.nth[row]!);
      for (let piece = row; piece !== -1; piece = next[piece]!) mixer.numbers(this.#lineOf(piece));
      for (let piece = row; piece !== -1; piece = next[piece]!) {
        rows.whole[2 * piece] = mixer.a;
        rows.whole[2 * piece + 1] = mixer.b;
      }
    }
  }
}

function mixLook(mixer: ContentMixer, { layer, minZoom, maxZoom, attributes }: Drawing): void {
  mixer.add(layerIndex.get(layer)!);
  mixer.add(minZoom);
  mixer.add(maxZoom ?? -1);
  for (const { key, value, fromZoom } of attributes) {
    mixer.text(key);
    mixer.text(`${typeof value} ${value}`);
    mixer.add(fromZoom);
  }
}

function* linesOf(shape: Shape): Iterable<Int32Array> {
  switch (shape.type) {
    case 'point':
      yield shape.at;
      return;
    case 'line':
      yield shape.line;
      return;
    case 'area':
      for (const rings of shape.polygons) yield* rings;
  }
}

/** Of a line over the date line the box says nothing: it may be seen all around. */
function roundBox(shape: Shape): readonly number[] {
  const [west, south, east, north] = shapeBox(shape);
  return east - west > 1_800_000_000
    ? [-1_800_000_000, south, 1_800_000_000, north]
    : [west, south, east, north];
}
