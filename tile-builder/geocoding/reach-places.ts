import { travelModes } from '#routing-engine/travel-mode.js';
import type { FoldName } from './fold-name.js';
import type { Place } from './gazetteer.js';
import { MadeOnce } from './made-once.js';
import { type Access, nearestRoads, oneOf, type RoadPlace } from './nearest-roads.js';
import type { Road } from './road.js';
import { RoadGridMemory, type RoadGrids } from './road-grids.js';
import { Squares, squareAt, squaresOfLine } from './squares.js';
import type { TellingElements } from './telling-elements.js';

/** Where a place is reached from the roads, and each of its houses. */
export interface Reached {
  readonly place: Access;
  readonly houses: readonly Access[];
}

/**
 * Moves places and houses onto the roads; the next time only those near which a road changed: where a place is reached follows from the
 * roads in the squares that were looked at.
 */
export class ReachMemory {
  readonly #grids = new RoadGridMemory();
  readonly #reached = new MadeOnce<Place, Reached>(({ key }) => key);

  of(
    places: readonly Place[],
    { roads, cameRoads, goneRoads }: TellingElements,
    fold: FoldName,
  ): readonly Reached[] {
    const grids = this.#grids.of(roads, cameRoads, goneRoads);
    let changed: Squares | undefined;
    const stays = ({ place, houses }: Reached, at: Place): boolean => {
      changed ??= squaresOf([cameRoads, goneRoads]);
      if (isNear(changed, at.lngE7, at.latE7, place)) return false;
      for (let i = 0; i < houses.length; i++) {
        const { lngE7, latE7 } = at.houses[i]!;
        if (isNear(changed, lngE7, latE7, houses[i]!)) return false;
      }
      return true;
    };
    return this.#reached.of(places, (place) => reach(place, grids, fold), stays).all;
  }
}

function squaresOf(changed: readonly (readonly Road[])[]): Squares {
  const squares = new Squares();
  const meet = (x: number, y: number): void => {
    squares.make(x, y);
  };
  for (const roads of changed)
    for (const { way, modes } of roads) if (modes !== 0) squaresOfLine(way.lngLatE7, meet);
  return squares;
}

const isNear = (changed: Squares, lngE7: number, latE7: number, { rings }: Access): boolean =>
  changed.size > 0 && rings >= 0 && changed.hasWithin(squareAt(lngE7), squareAt(latE7), rings);

function reach(place: Place, grids: RoadGrids, fold: FoldName): Reached {
  const { lngE7, latE7, road, houses } = place;
  // Whatever else is named after a street does not lie on it.
  const names =
    place.kind === 'street' ? place.names.map(({ text }) => grids.nameNumbers.get(fold(text)) ?? 0) : noNames;
  return {
    place:
      road === undefined
        ? nearestRoads(grids, lngE7, latE7, names)
        : reachOnRoad(grids, road.on, lngE7, latE7, names),
    houses:
      houses.length === 0
        ? noHouses
        : houses.map((house) => nearestRoads(grids, house.lngE7, house.latE7, names)),
  };
}

const noNames: readonly number[] = [];
const noHouses: readonly Access[] = [];

/** A place on a road: who may go there is there, and only the others look for another road. */
function reachOnRoad(
  grids: RoadGrids,
  road: Road,
  lngE7: number,
  latE7: number,
  names: readonly number[],
): Access {
  const both = road.modes | (road.modes >> travelModes.length);
  const everyone = (1 << travelModes.length) - 1;
  const others = (both & everyone) === everyone ? undefined : nearestRoads(grids, lngE7, latE7, names);
  const places: (RoadPlace | undefined)[] = [];
  for (let mode = 0; mode < travelModes.length; mode++)
    places.push(
      oneOf(
        places,
        (both & (1 << mode)) === 0
          ? others?.places[mode]
          : { road, against: (road.modes & (1 << mode)) === 0, lngE7, latE7, side: 0 },
      ),
    );
  return { places, rings: others?.rings ?? -1 };
}
