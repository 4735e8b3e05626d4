type FieldType = 'String' | 'Number' | 'Boolean';
interface Layer {
  readonly description: string;
  readonly fields: Readonly<Record<string, FieldType>>;
}

const named = { name: 'String', name_en: 'String' } as const;

/**
 * The layers in the order in which they lie in a tile, the ground first. Names and values follow the
 * Shortbread schema (https://shortbread-tiles.org), so that styles made for it need little change;
 * docs/formats/map-tiles.md says where they differ.
 */
export const layers = {
  ocean: { description: 'The sea', fields: {} },
  land: { description: 'What covers the ground', fields: { kind: 'String', ...named } },
  sites: { description: 'Grounds of schools, hospitals and the like', fields: { kind: 'String', ...named } },
  water_polygons: { description: 'Lakes, wide rivers, basins', fields: { kind: 'String', ...named } },
  water_lines: { description: 'Rivers, canals and streams', fields: { kind: 'String', ...named } },
  street_polygons: { description: 'Squares and pedestrian areas', fields: { kind: 'String', ...named } },
  buildings: { description: 'Buildings', fields: {} },
  boundaries: { description: 'Borders', fields: { admin_level: 'Number', maritime: 'Boolean' } },
  ferries: { description: 'Ferry lines', fields: { kind: 'String', ...named } },
  streets: {
    description: 'Roads, paths, railways and runways',
    fields: {
      kind: 'String',
      link: 'Boolean',
      rail: 'Boolean',
      tunnel: 'Boolean',
      bridge: 'Boolean',
      oneway: 'Boolean',
      oneway_reverse: 'Boolean',
      service: 'String',
      ref: 'String',
      ...named,
    },
  },
  public_transport: { description: 'Stations and stops', fields: { kind: 'String', ...named } },
  pois: {
    description: 'Places of interest',
    fields: {
      amenity: 'String',
      shop: 'String',
      tourism: 'String',
      historic: 'String',
      leisure: 'String',
      ...named,
    },
  },
  addresses: { description: 'House numbers', fields: { housenumber: 'String' } },
  place_labels: {
    description: 'Countries, towns and parts of them',
    fields: { kind: 'String', population: 'Number', ...named },
  },
} as const satisfies Record<string, Layer>;

export type LayerName = keyof typeof layers;
export const layerNames = Object.keys(layers) as readonly LayerName[];
export const layerIndex: ReadonlyMap<LayerName, number> = new Map(
  layerNames.map((name, index) => [name, index]),
);
export const oceanLayer = layerIndex.get('ocean')!;
