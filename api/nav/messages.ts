/** Texts about routes for drivers and clients: refusals, and the reason for a route's rank. */

// Places and departure.
export const notPlace =
  'Write the place as an address, or as `lat,lng` in degrees, for example `35.9110,14.5020`.';
export const swapped = (lat: number, lng: number) =>
  `${lat},${lng} is outside the map, but ${lng},${lat} is inside. Did you swap lat and lng?`;
export const badLatitude = (lat: number) =>
  `The latitude ${lat} is not between -90 and 90. Did you swap lat and lng?`;
export const badLongitude = (lng: number) => `The longitude ${lng} is not between -180 and 180.`;
export const unknownPlaces = (places: readonly string[]) => `The map does not have ${places.join(' or ')}.`;
export const waypoint = (number: number) => `waypoint ${number}`;
export const emptyWaypoint = (number: number) =>
  `Waypoint ${number} is empty. Write places joined by |, for example 35.9,14.5|via:35.91,14.49.`;
export const wrongWaypoint = (number: number, reason: string) => `Waypoint ${number}: ${reason}`;
export const tooManyWaypoints = (most: number) => `A route has at most ${most} waypoints.`;
export const noEncodedWaypoints = 'Encoded waypoints (enc:) are not available. Write places as `lat,lng`.';
export const optimizeFirst = 'optimize:true comes before the first waypoint.';
export const optimizeStops = 'optimize:true is for waypoints with a stop, not for via:.';
export const noAlternatives = 'A route with waypoints has no alternatives.';
export const oneTime = 'Give either departure_time or arrival_time.';
export const badArrival = 'Write Unix seconds, or a time such as 2026-11-21T08:00:00Z.';
export const arrivalOutOfRange = 'The arrival must not be in the past or more than a year ahead.';
export const late = (minutes: number) => `You arrive ${minutes} min late, even if you leave now.`;
export const badDeparture = 'Write now, Unix seconds, or a time such as 2026-11-21T08:00:00Z.';
export const departureOutOfRange = 'The departure must not be in the past or more than a year ahead.';
export const notAvoidable = (word: string, avoidable: readonly string[]) =>
  `${word} cannot be avoided. Use ${avoidable.join(', ')}.`;
export const languages = (offered: readonly string[]) => `Not available. Use ${offered.join(', ')}.`;
export const noIndex =
  'The map has no geocoding index yet. Write places as `lat,lng`, ' +
  'or build the index with `meridian tiles build`.';

// The order of the routes.
export const fastest = 'Fastest in current traffic.';
export const fastestWithoutTraffic = 'Fastest; no live traffic data.';
export const usual = (extraTime: string | undefined) =>
  extraTime === undefined ? 'Your usual route.' : `Your usual route (${extraTime} more than the fastest).`;
export const easier = (extraTime: string, differences: readonly string[]) =>
  `Easier than the fastest route (${extraTime} more): ${differences.join(', ')}.`;
export const compared = (differences: readonly string[]) => `${differences.join(', ')}.`;
export const time = (amount: string, isFaster: boolean) =>
  `${amount} ${isFaster ? 'faster' : 'slower'} than the first`;
export const distance = (amount: string, isShorter: boolean) =>
  `${amount} ${isShorter ? 'shorter' : 'longer'}`;
export const turns = (many: number, isFewer: boolean) =>
  `${many} ${isFewer ? 'fewer' : 'more'} ${many === 1 ? 'turn' : 'turns'}`;
export const kind = (word: string, has: boolean) => `${has ? 'with' : 'without'} ${word}`;

// The steps of a known route.
export const noSuchEdge = 'The map has no such edge. It may have been built again: plan the route again.';
export const brokenRoute = 'No car may go from the edge before to this one.';
