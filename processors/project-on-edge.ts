import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';

export interface EdgePlace {
  /** 0 to 1 by length. */
  readonly fraction: number;
  readonly point: LatLng;
  readonly distanceM: number;
}

const metresPerDegree = 111_195;

/** The line of the edge in hand; longer lines make it longer. */
let shape = new Float64Array(64);

/** The place of an edge that is nearest to a point, on a flat map around the point. */
export function projectOnEdge(network: RoadNetwork, edge: number, { lat, lng }: LatLng): EdgePlace {
  const length = 2 * network.edgePoints(edge);
  if (length > shape.length) shape = new Float64Array(2 * length);
  network.edgeGeometryInto(edge, shape, 0);
  const perLng = metresPerDegree * Math.cos((lat * Math.PI) / 180);
  let bestSquare = Number.POSITIVE_INFINITY;
  let bestAlongM = 0;
  let bestX = 0;
  let bestY = 0;
  let alongM = 0;
  for (let i = 2; i < length; i += 2) {
    const ax = (shape[i - 2]! - lng) * perLng;
    const ay = (shape[i - 1]! - lat) * metresPerDegree;
    const dx = (shape[i]! - shape[i - 2]!) * perLng;
    const dy = (shape[i + 1]! - shape[i - 1]!) * metresPerDegree;
    const square = dx * dx + dy * dy;
    const share = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square));
    const x = ax + share * dx;
    const y = ay + share * dy;
    const pieceM = Math.sqrt(square);
    const distance = x * x + y * y;
    if (distance < bestSquare) {
      bestSquare = distance;
      bestAlongM = alongM + share * pieceM;
      bestX = x;
      bestY = y;
    }
    alongM += pieceM;
  }
  return {
    fraction: alongM === 0 ? 0 : bestAlongM / alongM,
    point: { lat: lat + bestY / metresPerDegree, lng: lng + bestX / perLng },
    distanceM: Math.sqrt(bestSquare),
  };
}
