/** What clients read when a geocoding request is refused. */

export const notLatLng = (name: string) =>
  `Write ${name} as lat,lng in degrees, for example 35.9110,14.5020.`;
export const badLatitude = (name: string, lat: number) =>
  `The latitude ${lat} of ${name} is not between -90 and 90. Did you swap lat and lng?`;
export const badLongitude = (name: string, lng: number) =>
  `The longitude ${lng} of ${name} is not between -180 and 180.`;
export const empty = (name: string) => `${name} is empty.`;
export const tooLong = (name: string, length: number, most: number) =>
  `${name} has ${length} characters; the maximum is ${most}.`;
export const badLanguage = 'language must be a language tag such as sv or pt-BR.';
export const exactlyOne = 'Give exactly one of address, latlng and place_id.';
export const noIndex = 'The map has no geocoding index yet. Build it with `meridian tiles build`.';
export const otherTileset = (index: string, network: string) =>
  `the geocoding index belongs to tileset ${index}, not to ${network}; build the map again`;
