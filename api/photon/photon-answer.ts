import type { AddressedPlace } from '../ports/place-finder.js';

/** Photon's GeoJSON. */
export const photonAnswer = (places: readonly AddressedPlace[]): object => ({
  type: 'FeatureCollection',
  features: places.map((place) => ({
    type: 'Feature',
    properties: propertiesOf(place),
    geometry: { type: 'Point', coordinates: [place.location.lng, place.location.lat] },
  })),
});

function propertiesOf(place: AddressedPlace): object {
  const { element, tag, part, countryCode } = place.facts;
  const [west, south, east, north] = place.box ?? [];
  return {
    ...(element === undefined ? {} : { osm_type: element.type[0]!.toUpperCase(), osm_id: element.id }),
    ...(tag === undefined ? {} : { osm_key: tag.key, osm_value: tag.value }),
    type: part,
    ...(place.name === '' ? {} : { name: place.name }),
    ...addressOf(place),
    ...(countryCode === '' ? {} : { countrycode: countryCode }),
    ...(place.box === undefined ? {} : { extent: [west, north, east, south] }),
  };
}

/** The place itself is the name; of two lines of one part the more exact counts. */
function addressOf({ facts, address }: AddressedPlace): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const { label, part, text } of address) {
    if (label === 'postcode') parts['postcode'] = text;
    else if (label === 'house_number') parts['housenumber'] = text;
    else if (part !== undefined && part !== facts.part) parts[part] ??= text;
  }
  return parts;
}
