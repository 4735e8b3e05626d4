/** Texts of the route planner. Instructions, warnings and rankings come from the server. */

export const route = 'Route';
export const clear = 'Clear';
export const swap = 'Swap start and end';
export const searching = 'Finding a route…';
export const navigate = 'Navigate';
export const setEnd = 'Now click where you want to go.';
export const setStart = 'Search, or click the map to set the start.';
export const clickStart = 'Now click the map to set the start.';
export const noRoute = 'No route connects these two places.';

// The fields of both ends.
export const ends = { start: 'Start', end: 'End' } as const;
export const placeField = (end: string) => `${end}: address, place, or latitude and longitude`;
export const placeHint = (end: string) => `${end}: search, or click the map`;
export const suggestions = (end: string) => `Suggestions for ${end}`;
export const noPlace = 'No place found. For coordinates, enter latitude first, for example 35.9110, 14.5020.';

// How to travel.
export const travelMode = 'Travel mode';
export const modes = { driving: 'Car', truck: 'Truck', bicycling: 'Bike', walking: 'Walk' } as const;
export const truck = 'Size of the truck';
export const truckHint = 'Without a figure: 4 m high, 2.55 m wide, 16.5 m long, 40 t, 11.5 t on an axle.';
export const truckFields = {
  height: 'Height, m',
  width: 'Width, m',
  length: 'Length, m',
  weight: 'Weight, t',
  axle_load: 'Axle load, t',
} as const;
export const between = (least: number, most: number) => `Between ${least} and ${most}.`;
export const avoid = (chosen: readonly string[]) =>
  chosen.length === 0 ? 'Avoid' : `Avoid: ${chosen.join(', ')}`;

// The route that was found.
export const routes = 'Routes';
export const remaining = (distance: string, arrival: string) => `${distance} · arrive ${arrival}`;
export const trafficAdds = (duration: string) => `Traffic adds ${duration}.`;
export const liveSpeeds = (live: number, all: number, ageS: number | null) =>
  `${live} of ${all} road edges have live speeds${ageS === null ? '' : `, ${Math.round(ageS)} s old`}`;
export const steps = (many: number) => `${many} ${many === 1 ? 'step' : 'steps'}`;
export const closeStep = (number: number) => `Close the road of step ${number}`;
export const closeThisRoad = 'Close this road';
