import { createRequire } from 'node:module';
import type { OpenLocationCode as Codec } from 'open-location-code';
import type { GeocodeResult } from '#schemas/http/geocode.js';
import type { LatLng } from '#schemas/units.js';

// The package is CommonJS, and an import does not see its names.
const { OpenLocationCode } = createRequire(import.meta.url)('open-location-code') as {
  readonly OpenLocationCode: new () => Codec;
};
const codec = new OpenLocationCode();

/** The town that shortens a code. */
export interface TownNearby {
  readonly name: string;
  readonly location: LatLng;
}

/** `8F7PWG62+CR` and `WG62+CR Sliema`: four digits less where the town is near enough to restore them. */
export function plusCode({ lat, lng }: LatLng, town: TownNearby | undefined): GeocodeResult['plus_code'] {
  const global = codec.encode(lat, lng);
  if (town === undefined) return { compound_code: global, global_code: global };
  const shortened = codec.shorten(global, town.location.lat, town.location.lng);
  // The library removes as many digits as the distance allows; people expect four.
  const compound = shortened === global ? global : `${global.slice(4)} ${town.name}`;
  return { compound_code: compound, global_code: global };
}
