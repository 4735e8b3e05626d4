import type { Incident } from '#schemas/http/incidents.js';
import type { IsochroneAnswer } from '#schemas/http/isochrone.js';
import type { StatusAnswer } from '#schemas/http/map.js';
import type { Avoidance, NavAnswer } from '#schemas/http/nav.js';
import type { Position } from '#schemas/http/shapes.js';
import type { VehicleMeasure } from '#schemas/http/vehicle-bounds.js';
import type { LngLat } from '../geometry/line.js';
import { type Guidance, idle, type NavigationState } from './navigation-state.js';
import { createStore } from './store.js';

export interface Notice {
  readonly text: string;
  readonly tone: 'plain' | 'bad';
}

export type TravelMode = 'driving' | 'truck' | 'bicycling' | 'walking';

/** Metres and tonnes of the user's truck; what is left out is that of the usual one. */
export type TruckSize = Partial<Record<VehicleMeasure, number>>;

/** A place with the name under which it was found; without one where the map was clicked. */
export interface NamedPlace extends Position {
  readonly name?: string;
  /** Of the geocoder: a route ends exactly where it says. */
  readonly placeId?: string;
}

/** When a trip begins or ends; `at` is local time as a field for date and time has it. */
export type TravelTime =
  | { readonly kind: 'now' }
  | { readonly kind: 'depart' | 'arrive'; readonly at: string };

/** What the map shows. */
export interface Camera extends Position {
  readonly zoom: number;
}

/** The part of the panel that is opened. */
export type OpenPart = 'steps' | 'closures' | null;

/** What the planner knows about the route from start to end. */
export type Plan =
  | { readonly kind: 'empty' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'found'; readonly answer: NavAnswer }
  /** `mayPass`: the same request may succeed later. */
  | { readonly kind: 'failed'; readonly reason: string; readonly mayPass: boolean };

/** A road selected for a closure. */
export interface PickedRoad {
  /** Empty when it has none. */
  readonly name: string;
  readonly at: Position;
  readonly line: readonly LngLat[];
}

/** The road under the pointer, in pixels of the map. */
export interface Hover {
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly detail: string;
}

export type Units = 'metric' | 'imperial';

export interface Sharing {
  readonly on: boolean;
  /** Positions that the server has accepted. */
  readonly sent: number;
  /** Seconds between two batches, as the server last requested; null before its first answer. */
  readonly everyS: number | null;
}

export interface AppState {
  readonly status: StatusAnswer | null;
  /** One answer a second, oldest first, for the lines under the figures. */
  readonly history: readonly StatusAnswer[];
  readonly server: 'connecting' | 'answers' | 'silent';
  readonly notice: Notice | null;
  readonly start: NamedPlace | null;
  readonly end: NamedPlace | null;
  /** Stops between start and end, in order. */
  readonly via: readonly NamedPlace[];
  readonly mode: TravelMode;
  readonly when: TravelTime;
  /** Which of the routes is wanted, where there are so many. */
  readonly chosen: number;
  readonly open: OpenPart;
  /** Where the map is; null before it is there. */
  readonly camera: Camera | null;
  /** Where the map shall go: an opened or an earlier address. */
  readonly goTo: Camera | null;
  readonly truck: TruckSize;
  readonly avoid: readonly Avoidance[];
  readonly sharing: Sharing;
  readonly plan: Plan;
  readonly tool: 'route' | 'close';
  readonly picked: PickedRoad | null;
  readonly incidents: readonly Incident[];
  readonly navigation: NavigationState;
  /** Metres of the route already driven, renewed each second. */
  readonly drivenM: number;
  /** The steps of the route that is driven; null until they are known. */
  readonly guidance: Guidance | null;
  /** Metres per second at which the route is driven now. */
  readonly speedMps: number;
  /** Where the drive goes after its present destination. */
  readonly laterStops: readonly NamedPlace[];
  readonly following: boolean;
  readonly voice: boolean;
  readonly units: Units;
  /** Whether the browser has a network. */
  readonly online: boolean;
  /** The server sheds load, and what it refused is asked again. */
  readonly busy: boolean;
  /** The place whose reach is shown, and the areas; null until they are known. */
  readonly reachFrom: Position | null;
  readonly reach: IsochroneAnswer | null;
  readonly hover: Hover | null;
  /** The place whose actions are offered, with where it is on the screen. */
  readonly menu: { readonly x: number; readonly y: number; readonly at: Position } | null;
  /** The requested view; the map moves there once for each new value. */
  readonly lookAt: readonly LngLat[];
}

export const app = createStore<AppState>({
  status: null,
  history: [],
  server: 'connecting',
  notice: null,
  start: null,
  end: null,
  via: [],
  mode: 'driving',
  when: { kind: 'now' },
  chosen: 0,
  open: null,
  camera: null,
  goTo: null,
  truck: {},
  avoid: [],
  sharing: { on: false, sent: 0, everyS: null },
  plan: { kind: 'empty' },
  tool: 'route',
  picked: null,
  incidents: [],
  navigation: idle,
  drivenM: 0,
  guidance: null,
  speedMps: 0,
  laterStops: [],
  following: false,
  voice: true,
  units: 'metric',
  online: true,
  busy: false,
  reachFrom: null,
  reach: null,
  hover: null,
  menu: null,
  lookAt: [],
});

export function say(text: string, tone: Notice['tone'] = 'plain'): void {
  app.set({ notice: { text, tone } });
}
