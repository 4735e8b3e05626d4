import { distanceM, metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { snap } from '#routing-engine/snap/snap.js';
import type { LatLng } from '#schemas/units.js';
import type { GeocodeIndex } from '../index/geocode-index.js';
import { NOTHING } from '../index/index-file.js';
import { limits } from '../index/limits.js';

export interface PlaceHere {
  readonly row: number;
  readonly metres: number;
  /** The nearest point of the street; absent for points. */
  readonly at?: LatLng;
}

/** Maximum distance of houses and places; streets up to four times as far. */
const pointReachM = 75;
const streetReachM = 300;
/** A house is preferred to a café in it, unless the café is at the point itself. */
const houseLeadM = 10;
const pointedAtM = 1;
const namelessM = 8;

/**
 * Results at a place, from the most exact to the areas around it, of the accepted rows. Empty far from
 * everything.
 */
export function placesAt(
  index: GeocodeIndex,
  network: RoadNetwork,
  place: LatLng,
  accepts: (row: number) => boolean = () => true,
): PlaceHere[] {
  const found = pointsAround(index, place, pointReachM)
    .filter(({ row, metres }) => {
      if (!accepts(row)) return false;
      const kind = index.kind(row);
      if (kind === 'house') return true;
      return kind === 'poi'
        ? index.data.firstName[row] < index.data.firstName[row + 1] || metres < namelessM
        : metres < pointedAtM;
    })
    .sort((a, b) => lead(index, a) - lead(index, b) || a.row - b.row)
    .slice(0, 5);
  const [street] = streetsAt(index, network, place, { reachM: streetReachM, limit: 1, accepts });
  if (street !== undefined) found.push(street);
  const anchor = found[0]?.row;
  const around = index.areasAt(place);
  const town = around.some((row) => index.kind(row) === 'settlement')
    ? undefined
    : anchor === undefined
      ? nearestTown(index, place)
      : index.data.settlement[anchor];
  const push = (row: number, metres: number): void => {
    if (accepts(row) && !found.some((each) => each.row === row)) found.push({ row, metres });
  };
  if (town !== undefined && town !== NOTHING) push(town, metresTo(index, town, place));
  for (const row of around) push(row, 0);
  return found;
}

/** The first circle that is searched for the nearest places; each further one is twice as wide. */
const firstReachM = 100;

/**
 * The accepted rows within `reachM`, nearest first; of a street its nearest road counts. A circle with more
 * than `pointsMax` points is not searched any more.
 */
export function nearestPlaces(
  index: GeocodeIndex,
  network: RoadNetwork,
  place: LatLng,
  { reachM, limit, accepts, pointsMax = limits.nearestPointsMax }: NearestOptions,
): PlaceHere[] {
  const points: PlaceHere[] = [];
  let searchedM = -1;
  for (let circleM = Math.min(firstReachM, reachM); ; circleM = Math.min(2 * circleM, reachM)) {
    const near = pointsInBox(index, place, circleM);
    const isLast = circleM === reachM || near.length > pointsMax;
    if (near.length <= pointsMax) {
      for (const point of near) {
        const row = index.data.pointRow[point]!;
        const metres = metresTo(index, row, place);
        if (metres > searchedM && metres <= circleM && accepts(row)) points.push({ row, metres });
      }
      searchedM = circleM;
    }
    const found = [...points, ...streetsAt(index, network, place, { reachM: circleM, limit, accepts })];
    if (found.length < limit && !isLast) continue;
    return found.sort((a, b) => a.metres - b.metres || a.row - b.row).slice(0, limit);
  }
}

interface NearestOptions {
  readonly reachM: number;
  readonly limit: number;
  readonly accepts: (row: number) => boolean;
  readonly pointsMax?: number;
}

const lead = (index: GeocodeIndex, { row, metres }: PlaceHere): number =>
  metres < pointedAtM ? metres - 2 * houseLeadM : index.isHouse(row) ? metres - houseLeadM : metres;

function pointsAround(index: GeocodeIndex, place: LatLng, reachM: number): PlaceHere[] {
  return pointsInBox(index, place, reachM)
    .map((point) => {
      const row = index.data.pointRow[point];
      return { row, metres: metresTo(index, row, place) };
    })
    .filter(({ metres }) => metres <= reachM);
}

/** The points in a square around a place, by their numbers in `pointRow`. */
function pointsInBox(index: GeocodeIndex, place: LatLng, reachM: number): number[] {
  const lng = (reachM / metersPerLngDegree(place.lat)) * 1e7;
  const lat = (reachM / metersPerDegree) * 1e7;
  const [x, y] = [place.lng * 1e7, place.lat * 1e7];
  return index.points?.range(x - lng, y - lat, x + lng, y + lat) ?? [];
}

const metresTo = ({ data }: GeocodeIndex, row: number, { lng, lat }: LatLng): number =>
  distanceM(lng, lat, data.lngE7[row] / 1e7, data.latE7[row] / 1e7);

/** The nearest streets with a name, for any mode. */
function streetsAt(
  index: GeocodeIndex,
  network: RoadNetwork,
  place: LatLng,
  { reachM, limit, accepts }: NearestOptions,
): PlaceHere[] {
  const found: PlaceHere[] = [];
  const options = { mode: 'walking', maxMeters: reachM, limit: piecesOfStreet * limit } as const;
  for (const { edge, point, distanceM: metres } of snap(network, place, options)) {
    const row = index.streetOfWay(network.arrays.wayId[edge]!);
    if (row === NOTHING || !accepts(row) || found.some((each) => each.row === row)) continue;
    found.push({ row, metres, at: point });
    if (found.length === limit) break;
  }
  return found;
}

/** Pieces of road that are looked at for each street: most have several, and some have no name. */
const piecesOfStreet = 8;

/** Away from all roads: the settlement within a few kilometres. */
function nearestTown(index: GeocodeIndex, place: LatLng): number | undefined {
  let best: PlaceHere | undefined;
  for (const reachM of [1_000, 5_000]) {
    for (const here of pointsAround(index, place, reachM))
      if (index.kind(here.row) === 'settlement' && here.metres < (best?.metres ?? Number.POSITIVE_INFINITY))
        best = here;
    if (best !== undefined) return best.row;
  }
  return undefined;
}
