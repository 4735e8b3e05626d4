import type { IsochroneAnswer, IsochroneQuery } from '#schemas/http/isochrone.js';
import type { Position } from '#schemas/http/shapes.js';
import { ask } from '../http/ask.js';
import { isochronePath } from '../http/paths.js';
import { type AppState, app, say, type TravelMode } from '../state/state.js';

/** Minutes of the areas, from the nearest to the farthest. */
export const reachMinutes = [5, 10, 15] as const;

const costings = {
  driving: 'auto',
  truck: 'truck',
  bicycling: 'bicycle',
  walking: 'pedestrian',
} as const satisfies Record<TravelMode, IsochroneQuery['costing']>;

/** Asks for the areas around the place of the page, and again for another mode. */
export function runReach(): void {
  let asking = new AbortController();
  const askFor = async ({ lat, lng }: Position, signal: AbortSignal): Promise<void> => {
    const body: IsochroneQuery = {
      locations: [{ lat, lon: lng }],
      costing: costings[app.get().mode],
      contours: reachMinutes.map((time) => ({ time })),
      polygons: true,
    };
    try {
      const areas = await ask<IsochroneAnswer>(isochronePath, { method: 'POST', body, signal });
      if (!signal.aborted) app.set({ reach: areas });
    } catch (cause) {
      if (signal.aborted) return;
      say((cause as Error).message, 'bad');
      app.set({ reachFrom: null });
    }
  };
  const again = () => {
    asking.abort();
    asking = new AbortController();
    app.set({ reach: null });
    const { reachFrom } = app.get();
    if (reachFrom !== null) void askFor(reachFrom, asking.signal);
  };
  const picks: readonly ((state: AppState) => unknown)[] = [
    (state) => state.reachFrom,
    (state) => state.mode,
  ];
  for (const pick of picks) app.watch(pick, again);
  again();
}
