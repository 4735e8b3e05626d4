import type { RouteStep } from '#routing-engine/guidance/guide.js';
import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { cutLine, runsOf } from '#routing-engine/route/path-geometry.js';

export interface Intersection {
  readonly area: string;
  readonly network: RoadNetwork;
  readonly step: RouteStep;
  /** Of the route: [lng, lat, …]. */
  readonly lngLat: Float64Array;
}

/** Pixels of one picture, and metres that it shows from its middle to a side. */
const side = 300;
const captionHeight = 64;
const aroundM = 90;
/** Metres of the route to either side. */
const shownM = aroundM - 8;
const columns = 4;
/** Characters of a line of the caption. */
const lineLength = 42;

/** One picture beside the other: roads grey, one-way ones with arrows, the route blue, north above. */
export function drawIntersections(intersections: readonly Intersection[]): string {
  const rows = Math.ceil(intersections.length / columns);
  const [width, height] = [columns * (side + 10) + 10, rows * (side + captionHeight + 10) + 10];
  const pictures = intersections.map((each, at) => {
    const [x, y] = [
      10 + (at % columns) * (side + 10),
      10 + Math.floor(at / columns) * (side + captionHeight + 10),
    ];
    return `<svg x="${x}" y="${y}" width="${side}" height="${side + captionHeight}">${picture(each)}</svg>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
    '<defs><marker id="tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3" markerHeight="3" orient="auto">',
    '<path d="M0 0L10 5L0 10z" fill="#1565c0"/></marker>',
    '<marker id="way" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="1.6" markerHeight="1.6" orient="auto">',
    '<path d="M0 0L10 5L0 10z" fill="#777"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...pictures,
    '</svg>',
    '',
  ].join('\n');
}

function picture({ area, network, step, lngLat }: Intersection): string {
  const { lat, lng } = step.maneuver.location;
  const perLng = metersPerLngDegree(lat);
  const scale = side / (2 * aroundM);
  const pixel = (atLng: number, atLat: number): string => {
    const x = side / 2 + (atLng - lng) * perLng * scale;
    const y = side / 2 - (atLat - lat) * metersPerDegree * scale;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const lineOf = (points: ArrayLike<number>): string => {
    const all: string[] = [];
    for (let at = 0; at < points.length / 2; at++) all.push(pixel(points[2 * at]!, points[2 * at + 1]!));
    return `M${all.join('L')}`;
  };
  const roads = roadsNear(network, lng, lat).map((edge) => {
    const isOneWay = !isRoad(network, network.reverseOf(edge));
    const line = lineOf(network.edgeGeometry(edge));
    const arrow = isOneWay ? ' marker-end="url(#way)"' : '';
    return `<path d="${line}" stroke="#c9c9c9" stroke-width="7"${arrow}/>`;
  });
  const route = around(lngLat, step.geometryFrom);
  const caption = wrapped(`${area}: ${step.instruction}`)
    .slice(0, 3)
    .map((line, at) => `<text x="2" y="${side + 16 + 16 * at}">${escaped(line)}</text>`);
  return [
    `<svg width="${side}" height="${side}"><g fill="none" stroke-linecap="round" stroke-linejoin="round">`,
    `<rect width="${side}" height="${side}" fill="#f6f4ef"/>`,
    ...roads,
    `<path d="${lineOf(route)}" stroke="#1565c0" stroke-width="4" marker-end="url(#tip)"/>`,
    `<circle cx="${side / 2}" cy="${side / 2}" r="5" fill="#fff" stroke="#c2185b" stroke-width="2.5"/></g></svg>`,
    ...caption,
  ].join('');
}

/** The route before and behind a point of it; its arrow stays within the picture. */
function around(lngLat: Float64Array, point: number): number[] {
  const runs = runsOf(lngLat);
  const total = runs.at(-1)!;
  return cutLine(lngLat, (runs[point]! - shownM) / total, (runs[point]! + shownM) / total);
}

const isRoad = (network: RoadNetwork, edge: number | undefined): edge is number =>
  edge !== undefined && network.arrays.speedKph[edge]! > 0;

/** One directed edge for each road near a place; where both directions exist, one of them. */
function roadsNear(network: RoadNetwork, lng: number, lat: number): number[] {
  const { copyOf, tail, nodeLngE7, nodeLatE7 } = network.arrays;
  const perLng = metersPerLngDegree(lat);
  const near: number[] = [];
  for (let edge = 0; edge < network.edgeCount; edge++) {
    if (copyOf[edge] !== edge || !isRoad(network, edge)) continue;
    const back = network.reverseOf(edge);
    if (isRoad(network, back) && back < edge) continue;
    const eastM = Math.abs(nodeLngE7[tail[edge]!]! / 1e7 - lng) * perLng;
    const northM = Math.abs(nodeLatE7[tail[edge]!]! / 1e7 - lat) * metersPerDegree;
    if (Math.max(eastM, northM) < 2 * aroundM + network.edgeLengthM(edge)) near.push(edge);
  }
  return near;
}

function wrapped(words: string): string[] {
  const lines: string[] = [''];
  for (const word of words.split(' ')) {
    const last = lines.at(-1)!;
    if (last.length + word.length >= lineLength) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
