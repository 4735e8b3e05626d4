import { QueryOptions } from '../http/query-options.js';
import type { AddressedPlace, PlaceFinder } from '../ports/place-finder.js';
import { readLayers } from './layers.js';
import { optionMessages } from './messages.js';
import { type OutputOptions, outputOptions, readOutputOptions } from './output-options.js';

export interface ReverseQuery {
  readonly output: OutputOptions;
  /** As the answer repeats it. */
  readonly text: string;
  find(): AddressedPlace | undefined;
}

const known = ['lat', 'lon', 'zoom', 'layer', ...outputOptions];

/** The most exact rank by zoom, as in Nominatim; it has nothing larger than a country here. */
const ranksOfZoom = [4, 4, 4, 4, 4, 8, 10, 10, 12, 12, 16, 17, 18, 19, 22, 25, 26, 27, 30];
const zoomMax = ranksOfZoom.length - 1;
/** Of all that is at one place: five points, a street, a town and the areas of each level. */
const placesAtMax = 20;

/** A query, or what is wrong with it. */
export function parseReverse(
  query: Readonly<Record<string, string>>,
  header: string | undefined,
  finder: PlaceFinder,
): ReverseQuery | string {
  const options = new QueryOptions(query, known, optionMessages);
  const output = readOutputOptions(options, header, { format: 'xml', addressDetails: true });
  const lat = options.neededNumber('lat', { least: -90, most: 90 });
  const lng = options.neededNumber('lon', { least: -180, most: 180 });
  const zoom = options.number('zoom', { least: 0, most: zoomMax, clamp: true, integer: true }) ?? zoomMax;
  const isChosen = readLayers(options, finder, ['address', 'poi']);
  if (options.refusal !== undefined) return options.refusal;
  const most = ranksOfZoom[zoom]!;
  return {
    output,
    text: new URLSearchParams({ lat: String(lat), lon: String(lng), zoom: String(zoom) }).toString(),
    find() {
      const [first, ...others] = finder.at(
        { lat, lng },
        {
          languages: output.languages,
          limit: placesAtMax,
          accepts: (facts) => isChosen(facts) && facts.rank <= most,
        },
      );
      // Houses and streets come before the areas around them; of areas, the most exact counts.
      if (first === undefined || first.facts.rank >= 26) return first;
      return others.reduce((best, each) => (each.facts.rank > best.facts.rank ? each : best), first);
    },
  };
}
