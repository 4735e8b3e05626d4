/** Texts about routes for drivers and clients: refusals, and the reason for a route's rank. */

// Places and departure.
export const notPlace =
  'Write the place as an address, or as `lat,lng` in degrees, for example `35.9110,14.5020`.';
export const swapped = (lat: number, lng: number) =>
  `${lat},${lng} is outside the map, but ${lng},${lat} is inside. Did you swap lat and lng?`;
export const badLatitude = (lat: number) =>
  `The latitude ${lat} is not between -90 and 90. Did you swap lat and lng?`;
export const badLongitude = (lng: number) => `The longitude ${lng} is not between -180 and 180.`;
export const unknownPlaces = (ends: readonly string[]) =>
  `The map does not have the ${ends.join(' or the ')}.`;
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
