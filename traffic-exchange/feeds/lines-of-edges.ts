import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { PublishedLine } from '../events/published-event.js';
import type { Position } from '../events/road-event.js';
import { LineWriter } from '../openlr/encode-path.js';
import { isDrivable } from '../openlr/road-attributes.js';

/** Describes edges of one network for others: as lines of coordinates, and as OpenLR. */
export class EdgeLines {
  readonly #network: RoadNetwork;
  readonly #writer: LineWriter;

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#writer = new LineWriter(network);
  }

  /**
   * Of the edges that cars may use: feeds are about road traffic, and a footpath could be taken for a road.
   */
  of(edges: readonly number[]): PublishedLine[] {
    const drivable = edges.filter((edge) => isDrivable(this.#network, edge));
    return this.#chains(drivable).map((chain) => {
      const openlr = this.#writer.write(chain);
      return { coordinates: this.#coordinates(chain), ...(openlr === undefined ? {} : { openlr }) };
    });
  }

  /** Joins the edges that follow one another; never an edge and its own way back. */
  #chains(edges: readonly number[]): number[][] {
    const network = this.#network;
    const { head, tail } = network.arrays;
    const left = new Set(edges);
    const follows = (edge: number, next: number): boolean =>
      head[edge] === tail[next] && network.reverseOf(edge) !== next;
    const take = (find: (edge: number) => boolean): number | undefined => {
      for (const edge of left)
        if (find(edge)) {
          left.delete(edge);
          return edge;
        }
      return undefined;
    };
    const chains: number[][] = [];
    for (let edge = take(() => true); edge !== undefined; edge = take(() => true)) {
      const chain = [edge];
      for (let next: number | undefined; ; chain.push(next)) {
        const last = chain.at(-1)!;
        next = take((each) => follows(last, each));
        if (next === undefined) break;
      }
      for (let before: number | undefined; ; chain.unshift(before)) {
        const first = chain[0]!;
        before = take((each) => follows(each, first));
        if (before === undefined) break;
      }
      chains.push(chain);
    }
    return chains;
  }

  #coordinates(chain: readonly number[]): Position[] {
    const positions: Position[] = [];
    for (const edge of chain) {
      const line = this.#network.edgeGeometry(edge);
      // The edge begins where the previous one ends.
      for (let p = positions.length === 0 ? 0 : 2; p < line.length; p += 2)
        positions.push([line[p]!, line[p + 1]!]);
    }
    return positions;
  }
}
