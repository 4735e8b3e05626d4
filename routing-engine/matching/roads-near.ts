import { CellsMissing } from '../network/cells-missing.js';
import { angleBetween, metersPerDegree, metersPerLngDegree } from '../network/earth.js';
import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { Projection, projectInto } from '../snap/project.js';
import { cellsIn, piecesIn } from '../snap/snap-index.js';
import { model } from './match-settings.js';
import { headingOf } from './point-model.js';
import type { RoadRule, TracePoint } from './trace-point.js';

const radiansToTurn = 180 / Math.PI;
const anyRoad: RoadRule = {};
/** A point nearer to a road than this lies on neither side of it. */
const onRoadM = 0.5;
/** Headings are given in whole degrees. */
const roundingDeg = 0.5;

/** Which directions of a road a point may be travelled in; `place` is its projection onto the drawn one. */
function directionsFor(
  { heading, side }: RoadRule,
  { headingDeg, squareM, isLeft }: Projection,
  mayForth: boolean,
  mayBack: boolean,
): [boolean, boolean] {
  const isToward = (deg: number): boolean =>
    heading === undefined || angleBetween(deg, heading.deg) <= heading.rangeDeg + roundingDeg;
  const isOneSided = side !== undefined && mayForth && mayBack && squareM > onRoadM ** 2;
  return [
    mayForth && isToward(headingDeg) && !(isOneSided && isLeft !== (side === 'left')),
    mayBack && isToward(headingDeg + 180) && !(isOneSided && isLeft === (side === 'left')),
  ];
}

/**
 * The directed edges near a point with their emission costs. The object is reused: the columns hold `count`
 * entries until the next `find`.
 */
export class RoadsNear {
  count = 0;
  readonly edge = new Int32Array(model.candidatesMax);
  /** 0 at the tail, 1 at the head, by length. */
  readonly fraction = new Float32Array(model.candidatesMax);
  /** Emission: half the squared distance in σ, and the cost of the heading. */
  readonly cost = new Float32Array(model.candidatesMax);

  readonly #network: RoadNetwork;
  readonly #avoid: AvoidMask;
  readonly #speedRow: number;
  /** [pieces] number of the search that met the piece last. */
  readonly #met: Uint32Array;
  #search = 0;
  readonly #pieces: number[] = [];
  readonly #into = { add: (piece: number): void => this.#meet(piece) };
  readonly #place = new Projection();

  /** Roads with the properties in `avoid` are never near. */
  constructor(network: RoadNetwork, mode: TravelMode, avoid: AvoidMask = 0) {
    this.#network = network;
    this.#avoid = avoid;
    this.#speedRow = modeIndex(mode) * network.edgeCount;
    this.#met = new Uint32Array(network.arrays.pieceEdge.length);
  }

  /** Throws `CellsMissing` on a lazily loaded network that lacks a cell near the point. */
  find(point: TracePoint, sigmaM: number): void {
    const { lngE7, latE7, only = anyRoad } = point;
    const headingDeg = headingOf(point);
    const perLat = metersPerDegree / 1e7;
    const perLng = metersPerLngDegree(latE7 / 1e7) / 1e7;
    const radiusM = Math.min(model.reachMaxM, Math.max(model.reachMinM, model.reachSigmas * sigmaM));
    const box = [
      Math.floor(lngE7 - radiusM / perLng),
      Math.floor(latE7 - radiusM / perLat),
      Math.ceil(lngE7 + radiusM / perLng),
      Math.ceil(latE7 + radiusM / perLat),
    ] as const;
    const { pieceEdge, reverse, speedKph, loaded, flags } = this.#network.arrays;
    const place = this.#place;
    this.#search++;
    this.#pieces.length = 0;
    for (const cell of cellsIn(this.#network, box)) {
      if (Atomics.load(loaded, cell) === 0) throw new CellsMissing([cell]);
      piecesIn(this.#network, cell, box, this.#into);
    }
    this.count = 0;
    const halfPerSquare = 0.5 / (sigmaM * sigmaM);
    const squareMax = radiusM * radiusM;
    for (const piece of this.#pieces) {
      const drawn = pieceEdge[piece];
      const opposite = reverse[drawn];
      let mayForth = speedKph[this.#speedRow + drawn] > 0;
      let mayBack = opposite >= 0 && speedKph[this.#speedRow + opposite] > 0;
      if (!mayForth && !mayBack) continue;
      if ((flags[drawn] & this.#avoid) !== 0 || (only.piece ?? piece) !== piece) continue;
      projectInto(place, this.#network, drawn, lngE7, latE7, perLng, perLat);
      if (place.squareM > squareMax) continue;
      if (only !== anyRoad) [mayForth, mayBack] = directionsFor(only, place, mayForth, mayBack);
      const cost = place.squareM * halfPerSquare;
      const wrong = Number.isNaN(headingDeg)
        ? 0
        : model.headingCost * (1 - Math.cos((headingDeg - place.headingDeg) / radiansToTurn));
      const opposed = Number.isNaN(headingDeg) ? 0 : 2 * model.headingCost - wrong;
      if (mayForth) this.#put(drawn, place.fraction, cost + wrong);
      if (mayBack) this.#put(opposite, 1 - place.fraction, cost + opposed);
    }
    while (this.count > 0 && this.cost[this.count - 1] > this.cost[0] + model.candidateCostMax) this.count--;
  }

  #meet(piece: number): void {
    if (this.#met[piece] === this.#search) return;
    this.#met[piece] = this.#search;
    this.#pieces.push(piece);
  }

  /** Keeps the columns sorted by cost, equal ones by edge, so that the order of finding does not matter. */
  #put(edge: number, fraction: number, cost: number): void {
    const rounded = Math.fround(cost);
    let at = this.count;
    if (at === model.candidatesMax) {
      if (rounded >= this.cost[at - 1]) return;
      at--;
    } else this.count++;
    for (; at > 0; at--) {
      const before = this.cost[at - 1];
      if (before < rounded || (before === rounded && this.edge[at - 1] < edge)) break;
      this.edge[at] = this.edge[at - 1];
      this.fraction[at] = this.fraction[at - 1];
      this.cost[at] = before;
    }
    this.edge[at] = edge;
    this.fraction[at] = fraction;
    this.cost[at] = rounded;
  }
}
