import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';

export interface EdgePlace {
  /** 0 to 1 by length. */
  readonly fraction: number;
  readonly point: LatLng;
  readonly distanceM: number;
}

const metresPerDegree = 111_195;

/** The place of an edge that is nearest to a point, on a flat map around the point. */
export function projectOnEdge(network: RoadNetwork, edge: number, { lat, lng }: LatLng): EdgePlace {
  const shape = network.edgeGeometry(edge);
  const perLng = metresPerDegree * Math.cos((lat * Math.PI) / 180);
  let best = { distanceM: Number.POSITIVE_INFINITY, alongM: 0, x: 0, y: 0 };
  let alongM = 0;
  for (let i = 2; i < shape.length; i += 2) {
    const ax = (shape[i - 2]! - lng) * perLng;
    const ay = (shape[i - 1]! - lat) * metresPerDegree;
    const dx = (shape[i]! - shape[i - 2]!) * perLng;
    const dy = (shape[i + 1]! - shape[i - 1]!) * metresPerDegree;
    const square = dx * dx + dy * dy;
    const share = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square));
    const x = ax + share * dx;
    const y = ay + share * dy;
    const length = Math.sqrt(square);
    const distanceM = Math.hypot(x, y);
    if (distanceM < best.distanceM) best = { distanceM, alongM: alongM + share * length, x, y };
    alongM += length;
  }
  return {
    fraction: alongM === 0 ? 0 : best.alongM / alongM,
    point: { lat: lat + best.y / metresPerDegree, lng: lng + best.x / perLng },
    distanceM: best.distanceM,
  };
}
