import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';

const degreesPerRadian = 180 / Math.PI;

/** The place of an edge nearest to a point; the object is reused. */
export class Projection {
  /** 0 at the tail, 1 at the head, by length. */
  fraction = 0;
  squareM = 0;
  /** The place itself, 1e-7 degrees. */
  lngE7 = 0;
  latE7 = 0;
  /** Direction of travel there, compass degrees, -180 to 180. */
  headingDeg = 0;
  /** The point lies to the left of the direction of travel, or on the line. */
  isLeft = false;
}

/**
 * Nearest place of the edge's line, on a local flat projection. `perLng` and `perLat`: metres per 1e-7
 * degrees there.
 */
export function projectInto(
  out: Projection,
  { arrays }: RoadNetwork,
  edge: number,
  lngE7: number,
  latE7: number,
  perLng: number,
  perLat: number,
): void {
  const { piece, firstShape, shapeLngE7, shapeLatE7, nodeLngE7, nodeLatE7, tail, head, flags } = arrays;
  const first = firstShape[piece[edge]];
  const inner = firstShape[piece[edge] + 1] - first;
  const against = (flags[edge] & edgeFlag.against) !== 0;
  let lastX = (nodeLngE7[tail[edge]] - lngE7) * perLng;
  let lastY = (nodeLatE7[tail[edge]] - latE7) * perLat;
  let run = 0;
  let bestSquare = Number.POSITIVE_INFINITY;
  let bestRun = 0;
  let bestX = 0;
  let bestY = 0;
  let bestDx = 0;
  let bestDy = 1;
  for (let i = 0; i <= inner; i++) {
    const shape = against ? first + inner - 1 - i : first + i;
    const x = ((i === inner ? nodeLngE7[head[edge]] : shapeLngE7[shape]) - lngE7) * perLng;
    const y = ((i === inner ? nodeLatE7[head[edge]] : shapeLatE7[shape]) - latE7) * perLat;
    const dx = x - lastX;
    const dy = y - lastY;
    const square = dx * dx + dy * dy;
    const t = square === 0 ? 0 : Math.max(0, Math.min(1, -(lastX * dx + lastY * dy) / square));
    const px = lastX + t * dx;
    const py = lastY + t * dy;
    const length = Math.sqrt(square);
    const distance = px * px + py * py;
    if (distance < bestSquare) {
      bestSquare = distance;
      bestRun = run + t * length;
      bestX = px;
      bestY = py;
      bestDx = dx;
      bestDy = dy;
    }
    run += length;
    lastX = x;
    lastY = y;
  }
  out.squareM = bestSquare;
  out.lngE7 = lngE7 + bestX / perLng;
  out.latE7 = latE7 + bestY / perLat;
  out.fraction = run === 0 ? 0 : bestRun / run;
  // The point is the origin: it lies to the left when the foot of the perpendicular lies to the right of it.
  out.isLeft = bestDx * -bestY - bestDy * -bestX >= 0;
  out.headingDeg = Math.atan2(bestDx, bestDy) * degreesPerRadian;
}
