import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { type Palette, paletteFor } from '../../web/map/palette.js';
import { mapStyle } from '../../web/map/style.js';

/** What the map library finds wrong in a style; on the page it does not look, since that takes long. */
const mistakesIn = (style: object) =>
  validateStyleMin(style as Parameters<typeof validateStyleMin>[0]).map(({ message }) => message);

const styleOf = (palette: Palette, layer: string) =>
  mapStyle(palette, { tiles: ['/some/{z}/{x}/{y}'], vector_layers: [{ id: layer }] }, 'http://localhost');

describe('the style of the map', () => {
  for (const isDark of [false, true])
    for (const layer of ['streets', 'roads'])
      it(`of ${layer} ${isDark ? 'at night' : 'by day'} obeys the style specification`, () => {
        expect(mistakesIn(styleOf(paletteFor(isDark), layer))).toEqual([]);
      });

  it('would be refused with a colour that is none', () => {
    const style = styleOf({ ...paletteFor(false), ground: 'no colour' }, 'streets');
    expect(mistakesIn(style).join()).toContain('color expected');
  });
});
