import type { Mode } from '../ports/planner.js';

/** The names that clients have for each mode. Driving always follows live traffic. */
export const profiles: ReadonlyMap<string, Mode> = new Map([
  ['driving', 'driving'],
  ['driving-traffic', 'driving'],
  ['car', 'driving'],
  ['cycling', 'bicycling'],
  ['bike', 'bicycling'],
  ['bicycle', 'bicycling'],
  ['walking', 'walking'],
  ['foot', 'walking'],
  ['truck', 'truck'],
]);
