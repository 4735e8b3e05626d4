/** tilemaker's own settings for the layers of the lua file beside this one, of zoom 0 to 14. */
export const tilemakerConfig = {
  layers: Object.fromEntries(
    [
      'land',
      'sites',
      'water_polygons',
      'water_lines',
      'street_polygons',
      'buildings',
      'boundaries',
      'ferries',
      'streets',
      'public_transport',
      'pois',
      'place_labels',
    ].map((name) => [
      name,
      { minzoom: 0, maxzoom: 14, simplify_below: 14, simplify_level: 0.0001, simplify_ratio: 2 },
    ]),
  ),
  settings: {
    minzoom: 0,
    maxzoom: 14,
    basezoom: 14,
    include_ids: false,
    combine_below: 14,
    name: 'the same layers',
    version: '1',
    description: 'for a comparison',
    compress: 'gzip',
  },
};
