/**
 * The colours of the map and their use: one table for the page, the MapLibre styles of the API and the PNG
 * tiles. Each has its own widths, because each draws at other scales.
 */

interface AreaStyle {
  readonly layer: 'land' | 'sites';
  readonly kinds: readonly string[];
}

/** Areas by the `kind` of their layer, from the bottom up. Other kinds are not drawn. */
export const areaStyles = {
  built: { layer: 'land', kinds: ['residential', 'garages'] },
  works: {
    layer: 'land',
    kinds: [
      'industrial',
      'commercial',
      'retail',
      'railway',
      'landfill',
      'brownfield',
      'construction',
      'quarry',
    ],
  },
  field: { layer: 'land', kinds: ['farmland', 'farmyard', 'greenfield', 'greenhouse_horticulture'] },
  sand: { layer: 'land', kinds: ['sand', 'beach', 'bare_rock', 'scree', 'shingle'] },
  wood: { layer: 'land', kinds: ['forest', 'scrub', 'heath'] },
  green: {
    layer: 'land',
    kinds: [
      'park',
      'garden',
      'golf_course',
      'playground',
      'miniature_golf',
      'pitch',
      'track',
      'grass',
      'meadow',
      'grassland',
      'orchard',
      'vineyard',
      'allotments',
      'plant_nursery',
      'village_green',
      'cemetery',
      'wetland',
      'recreation_ground',
      'nature_reserve',
    ],
  },
  military: { layer: 'land', kinds: ['military'] },
  site: {
    layer: 'sites',
    kinds: ['school', 'university', 'college', 'hospital', 'sports_center', 'aerodrome'],
  },
  parking: { layer: 'sites', kinds: ['parking'] },
} as const satisfies Readonly<Record<string, AreaStyle>>;

export type Area = keyof typeof areaStyles;
export const areas = Object.keys(areaStyles) as Area[];

/** Roads by the `kind` of the layer `streets`, from the bottom up. */
export const roadKinds = {
  path: ['footway', 'path', 'steps', 'cycleway', 'bridleway', 'track'],
  service: ['service', 'busway', 'taxiway'],
  pedestrian: ['pedestrian'],
  street: ['residential', 'unclassified', 'living_street', 'road'],
  tertiary: ['tertiary'],
  secondary: ['secondary'],
  primary: ['primary'],
  trunk: ['trunk', 'runway'],
  motorway: ['motorway'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type RoadClass = keyof typeof roadKinds;
export const roadClasses = Object.keys(roadKinds) as RoadClass[];

/** Everything but the roads. */
export type MapColours = Readonly<
  Record<
    Area | 'ground' | 'water' | 'square' | 'building' | 'rail' | 'ferry' | 'border' | 'label' | 'halo',
    string
  >
>;

/** Day colours of the page, the styles of the API and the PNG tiles. */
export const dayColours: MapColours = {
  ground: '#f3f1ec',
  built: '#e9e6e1',
  works: '#e6e0e2',
  field: '#eceddb',
  sand: '#f2e8c6',
  wood: '#bcd6ac',
  green: '#d3e6bf',
  military: '#ebe4d6',
  site: '#ebe4d6',
  parking: '#e8e8ec',
  water: '#a8cbe0',
  square: '#e9e6df',
  building: '#dcd5cb',
  rail: '#8d8d92',
  ferry: '#6f9dc4',
  border: '#8a7a94',
  label: '#3a3f47',
  halo: '#ffffff',
};

/** By night: the page. */
export const nightColours: MapColours = {
  ground: '#12161d',
  built: '#161b23',
  works: '#181b24',
  field: '#161d1b',
  sand: '#22211c',
  wood: '#14221b',
  green: '#17261d',
  military: '#1a1d26',
  site: '#1a1d26',
  parking: '#171c25',
  water: '#0d2233',
  square: '#1a202a',
  building: '#1b212b',
  rail: '#343c49',
  ferry: '#343c49',
  border: '#5a5170',
  label: '#a9b4c4',
  halo: '#12161d',
};

export interface RoadColours {
  readonly colour: string;
  /** The line below it, a little wider; a road without one has no edge. */
  readonly casing?: string;
}

/** Roads of the styles of the API and of the PNG tiles. */
export const dayRoads: Readonly<Record<RoadClass, RoadColours>> = {
  path: { colour: '#c9b9a2' },
  service: { colour: '#ffffff', casing: '#cfcac0' },
  pedestrian: { colour: '#f0edf3', casing: '#cfc8d4' },
  street: { colour: '#ffffff', casing: '#cdc8bd' },
  tertiary: { colour: '#ffffff', casing: '#bdb6a8' },
  secondary: { colour: '#fcf1bd', casing: '#cbb978' },
  primary: { colour: '#fbdf95', casing: '#cda653' },
  trunk: { colour: '#f8c37a', casing: '#c98d43' },
  motorway: { colour: '#f0a55c', casing: '#bf7230' },
};

/** Roads of the page, where colours mean traffic, closures and routes, so roads are nearly colourless. */
export interface QuietRoads {
  readonly minor: string;
  readonly street: string;
  readonly major: string;
  readonly motorway: string;
  readonly casing: string;
  readonly casingMajor: string;
}

export const quietDayRoads: QuietRoads = {
  minor: '#f9f8f5',
  street: '#ffffff',
  major: '#ffffff',
  motorway: '#ffefc9',
  casing: '#cdc8bd',
  casingMajor: '#bdb6a8',
};

export const quietNightRoads: QuietRoads = {
  minor: '#1f2631',
  street: '#28303d',
  major: '#374253',
  motorway: '#4a5362',
  casing: '#0c1015',
  casingMajor: '#0a0d12',
};
