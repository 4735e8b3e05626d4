import {
  dayColours,
  type MapColours,
  nightColours,
  type QuietRoads,
  quietDayRoads,
  quietNightRoads,
} from '#schemas/map-style.js';

/** Colours of map overlays: routes, traffic, drivers. The panels have their colours in style/tokens.css. */
interface OverlayColours {
  readonly route: string;
  readonly routeCasing: string;
  readonly alternative: string;
  readonly low: string;
  readonly moderate: string;
  readonly heavy: string;
  readonly severe: string;
  readonly closed: string;
  readonly hatch: string;
  readonly driver: string;
  readonly navigating: string;
  readonly ring: string;
  readonly picked: string;
  /** Names of places of interest. */
  readonly shop: string;
  readonly sight: string;
  readonly service: string;
}

/** All colours that the map draws itself. */
export type Palette = MapColours & QuietRoads & OverlayColours;

const light: Palette = {
  ...dayColours,
  ...quietDayRoads,
  route: '#3563e9',
  routeCasing: '#1f3fa8',
  alternative: '#8fa6dc',
  low: '#12967a',
  moderate: '#f2c230',
  heavy: '#dd5a12',
  severe: '#8f1d4f',
  closed: '#330a12',
  hatch: '#ffd7d0',
  driver: '#3f4b5e',
  navigating: '#7a3ff2',
  ring: '#ffffff',
  picked: '#d6336c',
  shop: '#2b5aa8',
  sight: '#8a4b12',
  service: '#4a5568',
};

const dark: Palette = {
  ...nightColours,
  ...quietNightRoads,
  route: '#6b93ff',
  routeCasing: '#1d3a94',
  alternative: '#45588a',
  low: '#27bda0',
  moderate: '#f5d15a',
  heavy: '#e8702a',
  severe: '#b0306b',
  closed: '#5a0f1d',
  hatch: '#ffb3a8',
  driver: '#b7c3d4',
  navigating: '#b08bff',
  ring: '#12161d',
  picked: '#ff6fa3',
  shop: '#8fb4f0',
  sight: '#e0b483',
  service: '#a9b4c4',
};

export function paletteFor(isDark: boolean): Palette {
  return isDark ? dark : light;
}
