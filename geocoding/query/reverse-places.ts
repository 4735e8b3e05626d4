import { distanceM, metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { snap } from '#routing-engine/snap/snap.js';
import type { LatLng } from '#schemas/units.js';
import type { GeocodeIndex } from '../index/geocode-index.js';
import { NOTHING } from '../index/index-file.js';

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

/** Results at a place, from the most exact to the areas around it. Empty far from everything. */
export function placesAt(index: GeocodeIndex, network: RoadNetwork, place: LatLng): PlaceHere[] {
  const found = pointsAround(index, place, pointReachM)
    .filter(({ row, metres }) => {
      const kind = index.kind(row);
      if (kind === 'house') return true;
      return kind === 'poi'
        ? index.data.firstName[row] < index.data.firstName[row + 1] || metres < namelessM
        : metres < pointedAtM;
    })
    .sort((a, b) => lead(index, a) - lead(index, b) || a.row - b.row)
    .slice(0, 5);
  const street = streetAt(index, network, place);
  if (street !== undefined) found.push(street);
  const anchor = found[0]?.row;
  const around = index.areasAt(place);
  const town = around.some((row) => index.kind(row) === 'settlement')
    ? undefined
    : anchor === undefined
      ? nearestTown(index, place)
      : index.data.settlement[anchor];
  if (town !== undefined && town !== NOTHING && !found.some(({ row }) => row === town))
    found.push({ row: town, metres: metresTo(index, town, place) });
  for (const row of around) if (!found.some((each) => each.row === row)) found.push({ row, metres: 0 });
  return found;
}

const lead = (index: GeocodeIndex, { row, metres }: PlaceHere): number =>
  metres < pointedAtM ? metres - 2 * houseLeadM : index.isHouse(row) ? metres - houseLeadM : metres;

function pointsAround(index: GeocodeIndex, place: LatLng, reachM: number): PlaceHere[] {
  if (index.points === undefined) return [];
  const lng = (reachM / metersPerLngDegree(place.lat)) * 1e7;
  const lat = (reachM / metersPerDegree) * 1e7;
  const x = place.lng * 1e7;
  const y = place.lat * 1e7;
  return index.points
    .range(x - lng, y - lat, x + lng, y + lat)
    .map((point) => {
      const row = index.data.pointRow[point];
      return { row, metres: metresTo(index, row, place) };
    })
    .filter(({ metres }) => metres <= reachM);
}

const metresTo = ({ data }: GeocodeIndex, row: number, { lng, lat }: LatLng): number =>
  distanceM(lng, lat, data.lngE7[row] / 1e7, data.latE7[row] / 1e7);

/** The nearest named road of a place, for any mode. */
function streetAt(index: GeocodeIndex, network: RoadNetwork, place: LatLng): PlaceHere | undefined {
  for (const { edge, point, distanceM: metres } of snap(network, place, {
    mode: 'walking',
    maxMeters: streetReachM,
    limit: 8,
  })) {
    const row = index.streetOfWay(network.arrays.wayId[edge]);
    if (row !== NOTHING) return { row, metres, at: point };
  }
  return undefined;
}

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
