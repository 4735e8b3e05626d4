import type { NavStepsAnswer } from '#schemas/http/nav-steps.js';
import type { RouteBody } from '#schemas/nav-stream.js';
import { decodePolyline } from '../geometry/polyline.js';
import { ask } from '../http/ask.js';
import { navStepsPath } from '../http/paths.js';
import { pollDelayMs } from '../http/poll.js';
import { language } from '../language/language.js';
import { liveTrip } from '../state/navigation-state.js';
import { app } from '../state/state.js';
import { guidanceOf } from './guidance.js';

const firstRetryMs = 1_000;

/** Asks for the steps of each route that is driven, until it has them or another route is driven. */
export function runGuidance(): void {
  let asking = new AbortController();
  const askFor = async (route: RouteBody, signal: AbortSignal): Promise<void> => {
    const line = decodePolyline(route.polyline);
    const [first, last] = [line[0], line.at(-1)];
    if (first === undefined || last === undefined) return;
    const body = {
      edge_ids: route.edge_ids,
      from: { lat: first[1], lng: first[0] },
      to: { lat: last[1], lng: last[0] },
      language,
      units: app.get().units,
    };
    for (let failures = 0; !signal.aborted; failures++) {
      const answer = await ask<NavStepsAnswer>(navStepsPath, { method: 'POST', body, signal }).catch(
        () => null,
      );
      if (signal.aborted) return;
      if (answer !== null) return app.set({ guidance: guidanceOf(route.polyline, answer.steps) });
      await new Promise((resolve) => setTimeout(resolve, pollDelayMs(firstRetryMs, failures)));
    }
  };
  app.watch(
    (state) => liveTrip(state.navigation)?.route ?? null,
    (route) => {
      asking.abort();
      asking = new AbortController();
      if (route === null) app.set({ guidance: null });
      else if (app.get().guidance?.polyline !== route.polyline) {
        app.set({ guidance: null });
        void askFor(route, asking.signal);
      }
    },
  );
}
