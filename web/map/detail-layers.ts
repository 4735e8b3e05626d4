import type { ExpressionSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import { mapFonts } from './fonts.js';
import type { Palette } from './palette.js';

/**
 * Texts of a layer of the base map. `minzoom`: a map that shows everything at once shows nothing.
 */
function symbols(
  id: string,
  sourceLayer: string,
  minzoom: number,
  { layout, ...look }: Pick<SymbolLayerSpecification, 'filter' | 'layout' | 'paint'>,
): SymbolLayerSpecification {
  return {
    ...{ id, type: 'symbol', source: 'base', 'source-layer': sourceLayer, minzoom },
    layout: { 'text-font': mapFonts, ...layout },
    ...look,
  };
}

function shields(palette: Palette): SymbolLayerSpecification {
  return symbols('shields', 'streets', 10, {
    filter: [
      'all',
      ['has', 'ref'],
      ['in', ['get', 'kind'], ['literal', ['motorway', 'trunk', 'primary', 'secondary']]],
    ],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 420,
      // The first number of several.
      'text-field': ['slice', ['get', 'ref'], 0, ['max', 0, endOfFirst(['get', 'ref'])]],
      'text-size': 10,
      'text-rotation-alignment': 'viewport',
      'icon-image': 'shield',
      'icon-text-fit': 'both',
      'icon-text-fit-padding': [0, 1, 0, 1],
      'icon-rotation-alignment': 'viewport',
      'text-padding': 20,
    },
    paint: { 'text-color': palette.label },
  });
}

/** Where the first of numbers ends that `;` separates. */
function endOfFirst(ref: ExpressionSpecification): ExpressionSpecification {
  return ['case', ['>=', ['index-of', ';', ref], 0], ['index-of', ';', ref], ['length', ref]];
}

/** Arrows in the direction in which a road may be driven. */
function oneWays(palette: Palette): SymbolLayerSpecification {
  return symbols('one-ways', 'streets', 16, {
    filter: ['any', ['==', ['get', 'oneway'], true], ['==', ['get', 'oneway_reverse'], true]],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 110,
      'text-field': ['case', ['==', ['get', 'oneway_reverse'], true], '←', '→'],
      'text-size': 13,
      'text-keep-upright': false,
      'text-padding': 0,
    },
    paint: { 'text-color': palette.label, 'text-opacity': 0.65 },
  });
}

function pois(palette: Palette): SymbolLayerSpecification {
  return symbols('pois', 'pois', 16, {
    filter: ['has', 'name'],
    layout: {
      'text-field': ['concat', '• ', ['get', 'name']],
      'text-size': 11,
      'text-max-width': 9,
      'text-padding': 10,
    },
    paint: {
      'text-color': [
        'case',
        ['has', 'shop'],
        palette.shop,
        ['any', ['has', 'tourism'], ['has', 'historic']],
        palette.sight,
        palette.service,
      ],
      'text-halo-color': palette.halo,
      'text-halo-width': 1.4,
    },
  });
}

function houseNumbers(palette: Palette): SymbolLayerSpecification {
  return symbols('house-numbers', 'addresses', 17, {
    layout: {
      'text-field': ['get', 'housenumber'],
      'text-size': ['interpolate', ['linear'], ['zoom'], 17, 9.5, 20, 13],
      'text-padding': 3,
    },
    paint: {
      'text-color': palette.label,
      'text-halo-color': palette.halo,
      'text-halo-width': 1,
      'text-opacity': 0.85,
    },
  });
}

/** Details of a prepared map, the least important first, because later layers place their labels first. */
export const detailLayers = (palette: Palette): SymbolLayerSpecification[] => [
  houseNumbers(palette),
  pois(palette),
  oneWays(palette),
  shields(palette),
];
