/** Colours that the map draws itself; the panels have theirs in style/tokens.css. */
export interface Palette {
  readonly ground: string;
  readonly water: string;
  readonly wood: string;
  readonly green: string;
  readonly built: string;
  readonly building: string;
  readonly rail: string;
  readonly border: string;
  readonly minor: string;
  readonly street: string;
  readonly major: string;
  readonly motorway: string;
  readonly casing: string;
  readonly casingMajor: string;
  readonly label: string;
  readonly halo: string;
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

const light: Palette = {
  ground: '#eceff3',
  water: '#b9d3e8',
  wood: '#cfe0cb',
  green: '#dbe8d2',
  built: '#e5e9f0',
  building: '#d6dbe3',
  rail: '#b3b9c4',
  border: '#9c8fb0',
  minor: '#f4f6f9',
  street: '#ffffff',
  major: '#ffffff',
  motorway: '#ffefc9',
  casing: '#cdd4df',
  casingMajor: '#b4bdcb',
  label: '#4d5766',
  halo: '#ffffff',
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
  ground: '#12161d',
  water: '#0d2233',
  wood: '#14221b',
  green: '#17261d',
  built: '#161b23',
  building: '#1b212b',
  rail: '#343c49',
  border: '#5a5170',
  minor: '#1f2631',
  street: '#28303d',
  major: '#374253',
  motorway: '#4a5362',
  casing: '#0c1015',
  casingMajor: '#0a0d12',
  label: '#a9b4c4',
  halo: '#12161d',
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
