import { Type } from 'typebox';

const option = (description: string) => Type.Optional(Type.String({ description }));

/** The options of services that answer with routes. */
export const lineOptions = {
  annotations: option(
    '`true`, `false` (default) or a list of `distance`, `duration`, `speed`, `weight`, `datasources`: \
one value per pair of points of the leg; or `nodes`: OpenStreetMap ids from the point before the start to \
the one behind the end. A map that an older program built has none: `nodes` is rejected, not part of `true`.',
  ),
  banner_instructions: option(
    '`true` or `false` (default), with `steps=true`: `bannerInstructions` of each step, as Mapbox has them.',
  ),
  cardinal_directions: option(
    '`true` or `false` (default): `ref` of a step has the signed directions of numbered routes, ' +
      '`I 80 $west`, where relations of the map say them. In OSRM a property of profiles, not an option.',
  ),
  geometries: option('`polyline` (default), `polyline6` or `geojson`.'),
  language: option(
    'Language tag of `maneuver.instruction` and of what is read out and shown; default `en`. Without its ' +
      'region where that is not offered: `de-AT` is `de`. Not an option of OSRM.',
  ),
  overview: option('`simplified` (default), `full`, `by_legs` or `false`.'),
  steps: option('`true` or `false` (default).'),
  voice_instructions: option(
    '`true` or `false` (default), with `steps=true`: `voiceInstructions` of each step, as Mapbox has them, ' +
      'in `language`, which `voiceLocale` of the route names. Names that have a pronunciation in the ' +
      'International Phonetic Alphabet on the map are phonemes in `ssmlAnnouncement`.',
  ),
  voice_units: option('`metric` (default) or `imperial`, of distances that are read out.'),
};
