import { type AppState, app, type NamedPlace } from '../state/state.js';

/** Stops of a route with both ends, at most. */
const stopsMax = 10;
/** Stops between the ends, at most. */
export const viaMax = stopsMax - 2;

export const hasRoom = ({ via }: Pick<AppState, 'via'>): boolean => via.length < viaMax;

/** Start, stops between, end; null where none is set yet. */
export type Stops = readonly (NamedPlace | null)[];

export const stopsOf = (): Stops => {
  const { start, via, end } = app.get();
  return [start, ...via, end];
};

/** Empty places between the ends are left out. */
export function setStops(stops: Stops): void {
  const via = stops.slice(1, -1).filter((place) => place !== null);
  app.set({ start: stops[0] ?? null, via, end: stops.at(-1) ?? null, chosen: 0 });
}

/** The stops with the one at `from` at `to`; the same outside of the list. */
export function moved(stops: Stops, from: number, to: number): Stops {
  if (from < 0 || to < 0 || from >= stops.length || to >= stops.length || from === to) return stops;
  const others = stops.filter((_, at) => at !== from);
  return [...others.slice(0, to), stops[from] ?? null, ...others.slice(to)];
}

export function setStop(at: number, place: NamedPlace): void {
  setStops(stopsOf().map((stop, i) => (i === at ? place : stop)));
}

/** The present end becomes a stop, and the end is empty: the next place that is chosen is the new end. */
export function appendStop(): void {
  const { via, end } = app.get();
  if (end !== null && hasRoom({ via })) app.set({ via: [...via, end], end: null, chosen: 0 });
}

/** A stop before the end, without a choice of its place in the order. */
export function insertStop(place: NamedPlace): void {
  const { via } = app.get();
  if (hasRoom({ via })) app.set({ via: [...via, place], chosen: 0 });
}

/** One end that is removed is empty; with stops between, the next one takes its place. */
export function removeStop(at: number): void {
  const stops = stopsOf();
  if (stops.length > 2) setStops(stops.filter((_, i) => i !== at));
  else setStops(stops.map((stop, i) => (i === at ? null : stop)));
}
