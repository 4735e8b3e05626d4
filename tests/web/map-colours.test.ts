import { describe, expect, it } from 'vitest';
import { dayStyle } from '#api/map/day-style.js';
import { mapStyle } from '#api/map/map-style.js';
import * as png from '#map-tiles/png/png-style.js';
import {
  type Area,
  areaStyles,
  areas,
  dayColours,
  dayRoads,
  nightColours,
  roadClasses,
  roadKinds,
} from '#schemas/map-style.js';
import { baseLayers } from '../../web/map/base-map.js';
import { paletteFor } from '../../web/map/palette.js';

interface Layer {
  readonly id: string;
  readonly 'source-layer'?: string;
  readonly filter?: readonly [string, unknown, readonly [string, readonly string[]]];
  readonly paint?: Readonly<Record<string, unknown>>;
}

const layersOf = (style: object): readonly Layer[] => (style as { readonly layers: readonly Layer[] }).layers;
const colourOf = ({ paint = {} }: Layer): unknown =>
  paint['fill-color'] ?? paint['line-color'] ?? paint['background-color'];
const colourIn = (layers: readonly Layer[], id: string): unknown => {
  const layer = layers.find((each) => each.id === id);
  return layer && colourOf(layer);
};

/** Colour by layer and kind of every area that the layers fill. */
function areasOf(layers: readonly Layer[]): Map<string, unknown> {
  const filled = layers.filter(({ 'source-layer': from }) => from === 'land' || from === 'sites');
  return new Map(
    filled.flatMap((layer) =>
      layer.filter![2][1].map((kind) => [`${layer['source-layer']} ${kind}`, colourOf(layer)]),
    ),
  );
}

const styleJson = layersOf(mapStyle('http://localhost'));
const roadsOnly = layersOf(dayStyle('http://localhost'));
const page = (dark: boolean) => baseLayers(paletteFor(dark), 'streets') as unknown as readonly Layer[];

describe('the colours of the map', () => {
  it.each(areas)(
    'the area %s has one colour on the page, in the style JSON and in the PNG tiles',
    (area: Area) => {
      const { layer, kinds } = areaStyles[area];
      for (const kind of kinds) {
        expect(areasOf(page(false)).get(`${layer} ${kind}`)).toBe(dayColours[area]);
        expect(areasOf(page(true)).get(`${layer} ${kind}`)).toBe(nightColours[area]);
        expect(areasOf(styleJson).get(`${layer} ${kind}`)).toBe(dayColours[area]);
        expect(png.groundColours.get(kind)).toBe(dayColours[area]);
      }
    },
  );

  it('ground, water, houses, rails, ferries and borders have one colour in all of them', () => {
    const light = page(false);
    const seen = {
      ground: [
        colourIn(light, 'ground'),
        colourIn(styleJson, 'background'),
        colourIn(roadsOnly, 'background'),
        png.ground,
      ],
      water: [
        ...['ocean', 'water_polygons', 'water_lines'].map((id) => colourIn(light, id)),
        ...['ocean', 'water', 'waterway'].map((id) => colourIn(styleJson, id)),
        png.water,
      ],
      building: [colourIn(light, 'buildings'), colourIn(styleJson, 'buildings'), png.building],
      rail: [colourIn(light, 'rails'), colourIn(styleJson, 'rails'), png.rail],
      ferry: [
        colourIn(light, 'ferries'),
        colourIn(styleJson, 'ferries'),
        colourIn(roadsOnly, 'ferry'),
        png.ferry,
      ],
      border: [colourIn(light, 'borders'), colourIn(styleJson, 'borders'), png.border],
    };
    for (const [name, colours] of Object.entries(seen))
      expect(new Set(colours), name).toEqual(new Set([dayColours[name as keyof typeof seen]]));
  });

  it.each(roadClasses)('roads of the class %s have one colour in the styles and in the PNG tiles', (road) => {
    const drawn = png.roadStyles.find(({ kinds }) => kinds === roadKinds[road])!;
    const { colour, casing } = dayRoads[road];
    expect([drawn.colour, drawn.casing]).toEqual([colour, casing]);
    expect([colourIn(styleJson, road), colourIn(styleJson, `${road}-casing`)]).toEqual([colour, casing]);
    // The map with only roads shows pedestrian streets as paths.
    if (road === 'pedestrian') return;
    expect([colourIn(roadsOnly, road), colourIn(roadsOnly, `${road}-casing`)]).toEqual([colour, casing]);
  });
});
