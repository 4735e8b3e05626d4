import type { AddressedPlace } from '../ports/place-finder.js';
import { geoJsonOf, geometryOf, kmlOf, svgOf, textOf } from './geometry.js';
import type { OutputOptions } from './output-options.js';
import { boxOf, degrees, displayName, licence, typedAddress } from './place-fields.js';

/** A place of the formats `json` and `jsonv2`. */
export function placeJson(place: AddressedPlace, options: OutputOptions): object {
  const { location } = place;
  const [west, south, east, north] = boxOf(place);
  const isFirst = options.format === 'json';
  return {
    ...identityOf(place),
    licence,
    lat: degrees(location.lat),
    lon: degrees(location.lng),
    ...kindOf(place, isFirst ? 'class' : 'category'),
    ...commonOf(place, options),
    boundingbox: [south, north, west, east].map(degrees),
    ...geometryFields(place, options),
  };
}

function geometryFields(place: AddressedPlace, { geometry }: OutputOptions): object {
  switch (geometry) {
    case 'geojson':
      return { geojson: geoJsonOf(geometryOf(place)) };
    case 'kml':
      return { geokml: kmlOf(geometryOf(place)) };
    case 'svg':
      return { svg: svgOf(geometryOf(place)) };
    case 'text':
      return { geotext: textOf(geometryOf(place)) };
    case undefined:
      return {};
  }
}

/** The format `geojson`. */
export const geoJson = (places: readonly AddressedPlace[], options: OutputOptions): object => ({
  type: 'FeatureCollection',
  licence,
  features: places.map((place) => ({
    type: 'Feature',
    properties: { ...identityOf(place), ...kindOf(place, 'category'), ...commonOf(place, options) },
    bbox: boxOf(place),
    geometry: featureGeometry(place, options),
  })),
});

/** The format `geocodejson`; `query` is what was searched for. */
export const geocodeJson = (
  places: readonly AddressedPlace[],
  options: OutputOptions,
  query: string | undefined,
): object => ({
  type: 'FeatureCollection',
  geocoding: {
    version: '0.1.0',
    attribution: licence,
    licence: 'ODbL',
    ...(query === undefined ? {} : { query }),
  },
  features: places.map((place) => ({
    type: 'Feature',
    properties: {
      geocoding: {
        ...identityOf(place),
        ...(place.facts.tag === undefined
          ? {}
          : { osm_key: place.facts.tag.key, osm_value: place.facts.tag.value }),
        type: place.facts.part === 'other' ? 'locality' : place.facts.part,
        label: displayName(place),
        ...(place.name === '' ? {} : { name: place.name }),
        ...(options.addressDetails ? geocodeAddress(place) : {}),
      },
    },
    geometry: featureGeometry(place, options),
  })),
});

function geocodeAddress({ facts, address }: AddressedPlace): object {
  const parts: Record<string, string> = {};
  const admin: Record<string, string> = {};
  for (const { label, part, level, text } of address) {
    if (label === 'postcode') parts['postcode'] = text;
    else if (label === 'house_number') parts['housenumber'] = text;
    // The place itself is the name.
    else if (part !== undefined && part !== facts.part) parts[part] ??= text;
    if (level !== undefined) admin[`level${level}`] ??= text;
  }
  const code = facts.countryCode === '' ? {} : { country_code: facts.countryCode.toLowerCase() };
  return { ...parts, ...code, admin };
}

function identityOf({ facts: { placeId, element } }: AddressedPlace): object {
  return {
    place_id: placeId,
    ...(element === undefined ? {} : { osm_type: element.type, osm_id: element.id }),
  };
}

/** `key` is the name of the field with the key of the tag. */
const kindOf = ({ facts: { tag } }: AddressedPlace, key: string): object =>
  tag === undefined ? {} : { [key]: tag.key, type: tag.value };

function commonOf(place: AddressedPlace, options: OutputOptions): object {
  return {
    place_rank: place.facts.rank,
    importance: place.importance,
    ...(place.label === undefined ? {} : { addresstype: place.label }),
    name: place.name,
    display_name: displayName(place),
    ...(options.addressDetails ? { address: typedAddress(place) } : {}),
    ...(options.nameDetails ? { namedetails: place.names } : {}),
  };
}

const featureGeometry = (place: AddressedPlace, { geometry }: OutputOptions): object =>
  geoJsonOf(geometryOf(geometry === undefined ? { ...place, border: undefined } : place));
