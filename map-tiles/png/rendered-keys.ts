import type { LayerName } from '../format/layers.js';

/** First zoom at which a layer is rendered, and first zoom at which each of its attributes is used. */
interface Painted {
  readonly from?: number;
  readonly keys?: Readonly<Record<string, number>>;
}

const painted: Readonly<Record<LayerName, Painted>> = {
  ocean: {},
  land: { keys: { kind: 0 } },
  sites: { keys: { kind: 0 } },
  water_polygons: {},
  water_lines: { keys: { kind: 0, name: 12 } },
  street_polygons: {},
  buildings: {},
  boundaries: { keys: { admin_level: 0, maritime: 0 } },
  ferries: {},
  streets: { keys: { kind: 0, rail: 0, name: 13 } },
  public_transport: { from: 14, keys: { name: 0 } },
  pois: { from: 16, keys: { name: 0 } },
  addresses: { keys: { housenumber: 0 } },
  place_labels: { keys: { kind: 0, name: 0 } },
};

/**
 * The attributes of a layer that the renderer uses at a zoom; undefined if the layer is not rendered. Other
 * attributes change no picture.
 */
export function renderedKeys(layer: LayerName, zoom: number): readonly string[] | undefined {
  const { from = 0, keys = {} } = painted[layer];
  if (zoom < from) return undefined;
  return Object.keys(keys).filter((key) => keys[key]! <= zoom);
}
