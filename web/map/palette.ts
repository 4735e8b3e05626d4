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
}

/** All colours that the map draws itself. */
export type Palette = MapColours & QuietRoads & OverlayColours;

const light: Palette = {
  ...dayColours,
  ...quietDayRoads,
  route: '#3563e9',
  routeCasing: '#1f3fa8',
  alternative: '#8fa6dc',
  low: '#2f9e63',
  moderate: '#e8a317',
  heavy: '#e2622b',
  severe: '#c92a2a',
  closed: '#6d0f1c',
  hatch: '#ffd7d0',
  driver: '#3f4b5e',
  navigating: '#7a3ff2',
  ring: '#ffffff',
  picked: '#d6336c',
};

const dark: Palette = {
  ...nightColours,
  ...quietNightRoads,
  route: '#6b93ff',
  routeCasing: '#1d3a94',
  alternative: '#45588a',
  low: '#3fae74',
  moderate: '#f0b33c',
  heavy: '#f07b45',
  severe: '#ee5252',
  closed: '#8f1626',
  hatch: '#ffb3a8',
  driver: '#b7c3d4',
  navigating: '#b08bff',
  ring: '#12161d',
  picked: '#ff6fa3',
};

export function paletteFor(isDark: boolean): Palette {
  return isDark ? dark : light;
}
