import { type OutlineAnswer, operationsMax } from '#schemas/http/operations.js';
import type { Roads } from '../ports/roads.js';
import { joinRoads } from '../road-tiles/join-roads.js';
import type { RoadLine } from '../road-tiles/road-line.js';
import type { MapArea } from '../road-tiles/tile-json.js';

/** The classes of main roads, the most important first. */
const classes = ['motorway', 'trunk', 'primary', 'secondary', 'tertiary'] as const;
/** Parts of the longer side of the area that a drawing can show. */
const resolution = 1_000;
/** Road pieces that are read before other work has a turn. */
const piecesPerTurn = 5_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The main roads in at most `operationsMax.outlinePoints` points: as many classes as fit, from motorways on.
 * Of a map whose motorways alone are too many, as many of them as fit.
 */
export async function outlineOf(roads: Roads): Promise<OutlineAnswer> {
  const byClass = new Map<string, RoadLine[]>(classes.map((name) => [name, []]));
  let pieces = 0;
  for (const line of roads.lines()) {
    byClass.get(line.class)?.push(line);
    if (++pieces % piecesPerTurn === 0) await nextTurn();
  }
  const [west, south, east, north] = extentOf([...byClass.values()].flat()) ?? roads.area.bounds;
  const stepDeg = Math.max(east - west, north - south) / resolution;
  const lines: number[][] = [];
  let room: number = operationsMax.outlinePoints;
  for (const name of classes) {
    await nextTurn();
    const thin = joinRoads(byClass.get(name)!)
      .map(({ coordinates }) => thinned(coordinates, stepDeg))
      .filter((line) => line.length >= 4);
    const points = thin.reduce((sum, line) => sum + line.length / 2, 0);
    if (points > room && lines.length > 0) break;
    for (const line of thin) {
      if (line.length / 2 > room) break;
      room -= line.length / 2;
      lines.push(line);
    }
  }
  return { tileset_id: roads.tilesetId, bounds: [west, south, east, north], lines };
}

/** A margin for the streets around main roads, as a share of the longer side. */
const margin = 0.03;

/** The bounds of lines, with a margin; undefined without lines. Those of a map may be of its ferries. */
function extentOf(lines: readonly RoadLine[]): MapArea['bounds'] | undefined {
  if (lines.length === 0) return undefined;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const { coordinates } of lines)
    for (const [lng, lat] of coordinates) {
      west = Math.min(west, lng);
      east = Math.max(east, lng);
      south = Math.min(south, lat);
      north = Math.max(north, lat);
    }
  const wider = margin * Math.max(east - west, north - south);
  return [west - wider, south - wider, east + wider, north + wider];
}

const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** Points that are at least a step from the one before; of a line shorter than a step, none. */
function thinned(coordinates: RoadLine['coordinates'], stepDeg: number): number[] {
  const line: number[] = [];
  const [first, last] = [coordinates[0]!, coordinates.at(-1)!];
  let [x, y] = first;
  line.push(rounded(x), rounded(y));
  for (const [lng, lat] of coordinates) {
    if (Math.hypot(lng - x, lat - y) < stepDeg) continue;
    [x, y] = [lng, lat];
    line.push(rounded(x), rounded(y));
  }
  // It ends where the road does, so that roads meet.
  if (line.length > 2) line.splice(-2, 2, rounded(last[0]), rounded(last[1]));
  return line;
}
