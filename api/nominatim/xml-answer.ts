import { escapeHtml } from '#platform/http/html.js';
import type { AddressedPlace } from '../ports/place-finder.js';
import { geoJsonOf, geometryOf, kmlOf, svgOf, textOf } from './geometry.js';
import { notFound } from './messages.js';
import type { OutputOptions } from './output-options.js';
import { boxOf, degrees, displayName, licence, typedAddress } from './place-fields.js';

const declaration = '<?xml version="1.0" encoding="UTF-8" ?>\n';
export const xmlType = 'text/xml; charset=utf-8';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** The root element: what was asked, and when. */
interface Root {
  readonly name: 'searchresults' | 'lookupresults' | 'reversegeocode';
  readonly query: string;
  readonly nowMs: number;
}

/** Places of `/search` and `/lookup`. */
export function placesXml(places: readonly AddressedPlace[], options: OutputOptions, root: Root): string {
  const elements = places.map((place) => {
    const { tag } = place.facts;
    const attributes = {
      ...attributesOf(place, options),
      display_name: displayName(place),
      class: tag?.key,
      type: tag?.value,
      importance: place.importance,
    };
    const address = options.addressDetails ? addressXml(place) : '';
    return element('place', attributes, kmlXml(place, options) + address + namesXml(place, options));
  });
  return document(root, elements.join(''));
}

/** The one place of `/reverse`. */
export function placeXml(place: AddressedPlace | undefined, options: OutputOptions, root: Root): string {
  if (place === undefined) return document(root, element('error', {}, text(notFound)));
  const address = options.addressDetails ? element('addressparts', {}, addressXml(place)) : '';
  const result = element('result', attributesOf(place, options), text(displayName(place)));
  return document(root, result + kmlXml(place, options) + address + namesXml(place, options));
}

export const errorXml = (status: number, message: string): string =>
  declaration +
  element('error', {}, element('code', {}, String(status)) + element('message', {}, text(message)));

const document = ({ name, query, nowMs }: Root, content: string): string =>
  declaration +
  element(
    name,
    { timestamp: new Date(nowMs).toUTCString(), attribution: licence, querystring: query },
    content,
  );

const kmlXml = (place: AddressedPlace, { geometry }: OutputOptions): string =>
  geometry === 'kml' ? element('geokml', {}, kmlOf(geometryOf(place))) : '';

function attributesOf(place: AddressedPlace, { geometry }: OutputOptions): Attributes {
  const { placeId, element: osm, rank, addressRank } = place.facts;
  const [west, south, east, north] = boxOf(place);
  return {
    place_id: placeId,
    osm_type: osm?.type,
    osm_id: osm?.id,
    ref: place.name === '' ? undefined : place.name,
    lat: degrees(place.location.lat),
    lon: degrees(place.location.lng),
    boundingbox: [south, north, west, east].map(degrees).join(','),
    place_rank: rank,
    address_rank: addressRank,
    geotext: geometry === 'text' ? textOf(geometryOf(place)) : undefined,
    geosvg: geometry === 'svg' ? svgOf(geometryOf(place)) : undefined,
    geojson: geometry === 'geojson' ? JSON.stringify(geoJsonOf(geometryOf(place))) : undefined,
  };
}

const addressXml = (place: AddressedPlace): string =>
  Object.entries(typedAddress(place))
    .map(([label, value]) => element(label, {}, text(value)))
    .join('');

const namesXml = ({ names }: AddressedPlace, { nameDetails }: OutputOptions): string =>
  nameDetails
    ? element(
        'namedetails',
        {},
        Object.entries(names)
          .map(([desc, name]) => element('name', { desc }, text(name)))
          .join(''),
      )
    : '';

function element(name: string, attributes: Attributes, content: string): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${text(String(value))}"`]))
    .join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** Without characters that XML 1.0 cannot hold in any form. */
const text = (value: string): string =>
  escapeHtml(value.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''));
