import type { Map as MapLibre } from 'maplibre-gl';
import { setDriverIcons } from './driver-icons.js';
import { type Palette, paletteFor } from './palette.js';
import type { RoadSource } from './road-layers.js';
import { layers } from './style.js';

const darkQuery = '(prefers-color-scheme: dark)';

export function currentPalette(): Palette {
  return paletteFor(matchMedia(darkQuery).matches);
}

/** Repaints the map in place when the system changes between light and dark; data and view stay. */
export function followTheme(map: MapLibre, from: RoadSource): void {
  matchMedia(darkQuery).addEventListener('change', () => {
    const palette = currentPalette();
    for (const layer of layers(palette, from)) {
      for (const [name, value] of Object.entries(layer.paint ?? {})) {
        map.setPaintProperty(layer.id, name, value);
      }
    }
    setDriverIcons(map, palette);
  });
}
