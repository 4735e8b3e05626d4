import {
  areaStyles,
  areas,
  dayColours,
  dayRoads,
  type RoadClass,
  roadClasses,
  roadKinds,
} from '#schemas/map-style.js';

/**
 * The style of the PNG tiles: the colours are those of every map (`schemas/map-style.ts`), the widths are
 * pixels of a 256-pixel tile.
 */
export const { ground, water, border, ferry, rail, building, square } = dayColours;

/** Colour of `land` and `sites` by kind; other kinds are not drawn. */
export const groundColours: ReadonlyMap<string, string> = new Map(
  areas.flatMap((area) => areaStyles[area].kinds.map((kind): [string, string] => [kind, dayColours[area]])),
);

/** At zooms 8, 12, 14 and 16. */
type Widths = readonly [number, number, number, number];

export interface RoadStyle {
  readonly kinds: readonly string[];
  readonly colour: string;
  readonly casing: string | undefined;
  readonly widths: Widths;
}

const roadWidths: Readonly<Record<RoadClass, Widths>> = {
  path: [0, 0.4, 0.6, 1.2],
  service: [0, 0.6, 1.2, 3.2],
  pedestrian: [0, 0.8, 2, 5],
  street: [0, 0.9, 2.4, 6],
  tertiary: [0.5, 1.6, 3.6, 7.5],
  secondary: [0.7, 2, 4.4, 8.5],
  primary: [0.9, 2.4, 5, 9],
  trunk: [1.1, 2.8, 5.4, 9.5],
  motorway: [1.4, 3.2, 6, 10],
};

/** From the bottom up. */
export const roadStyles: readonly RoadStyle[] = roadClasses.map((road) => ({
  kinds: roadKinds[road],
  colour: dayRoads[road].colour,
  casing: dayRoads[road].casing,
  widths: roadWidths[road],
}));

const stops = [8, 12, 14, 16] as const;

export function widthAt(widths: Widths, zoom: number): number {
  if (zoom <= stops[0]) return Math.max(0.3, widths[0]) * (zoom < 6 ? 0.6 : 1);
  for (let i = 1; i < stops.length; i++) {
    if (zoom > stops[i]!) continue;
    const share = (zoom - stops[i - 1]!) / (stops[i]! - stops[i - 1]!);
    return widths[i - 1]! + share * (widths[i]! - widths[i - 1]!);
  }
  return widths[3];
}

export interface LabelStyle {
  readonly size: number;
  readonly bold: boolean;
  readonly colour: string;
}

/** Names of places by kind. */
export const placeLabels: ReadonlyMap<string, LabelStyle> = new Map([
  ['country', { size: 12, bold: false, colour: '#6b5b78' }],
  ['capital', { size: 14, bold: true, colour: '#26292f' }],
  ['city', { size: 13, bold: true, colour: '#26292f' }],
  ['town', { size: 12, bold: true, colour: '#33373f' }],
  ['village', { size: 11, bold: false, colour: '#3d424c' }],
  ['suburb', { size: 11, bold: false, colour: '#5d6370' }],
  ['island', { size: 11, bold: false, colour: '#5d6370' }],
  ['quarter', { size: 10, bold: false, colour: '#6a707c' }],
  ['hamlet', { size: 10, bold: false, colour: '#5d6370' }],
  ['neighbourhood', { size: 10, bold: false, colour: '#7a808b' }],
  ['locality', { size: 10, bold: false, colour: '#7a808b' }],
]);
export const streetLabel: LabelStyle = { size: 9.5, bold: false, colour: '#4a4740' };
export const stopLabel: LabelStyle = { size: 9.5, bold: false, colour: '#2f5f93' };
export const poiLabel: LabelStyle = { size: 9, bold: false, colour: '#7a5a3a' };
export const numberLabel: LabelStyle = { size: 8.5, bold: false, colour: '#7d766a' };
export const waterLabel: LabelStyle = { size: 10, bold: false, colour: '#3f719c' };
