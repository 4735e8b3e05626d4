import type { AllPaintProperties, LayerSpecification, Map as MapLibre } from 'maplibre-gl';
import { type Palette, paletteFor } from './palette.js';

const darkQuery = '(prefers-color-scheme: dark)';

export function currentPalette(): Palette {
  return paletteFor(matchMedia(darkQuery).matches);
}

/**
 * Repaints the map in place when the system changes between light and dark; data and view stay.
 *
 * @returns ends it.
 */
export function followTheme(
  map: MapLibre,
  layersIn: (palette: Palette) => readonly LayerSpecification[],
  repainted: (palette: Palette) => void = () => {},
): () => void {
  const query = matchMedia(darkQuery);
  const repaint = () => {
    const palette = currentPalette();
    for (const layer of layersIn(palette)) {
      const paint = Object.entries(layer.paint ?? {}) as [keyof AllPaintProperties, never][];
      for (const [name, value] of paint) map.setPaintProperty(layer.id, name, value);
    }
    repainted(palette);
  };
  query.addEventListener('change', repaint);
  return () => query.removeEventListener('change', repaint);
}
