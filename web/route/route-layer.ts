import type { Map as MapLibre } from 'maplibre-gl';
import { ahead, type LngLat } from '../geometry/line.js';
import { createMorph } from '../geometry/morph.js';
import { fitView } from '../map/fit-view.js';
import { lineFeature, show } from '../map/overlay.js';
import type { Travel } from '../navigation/travel.js';
import { liveTrip } from '../state/navigation-state.js';
import { shownRoute } from '../state/plan-parts.js';
import { app } from '../state/state.js';
import { plannedLines } from './planned-lines.js';

const endsNow = (): string => {
  const { start, via, end } = app.get();
  return JSON.stringify([start, via, end]);
};

const morphMs = 900;
/** How long the route that was left stays on the map, as long as the banner that explains it. */
const formerMs = 20_000;

/** Draws the planned route with its alternatives, or the rest of a navigated route; a reroute is animated. */
export function drawRoute(map: MapLibre, travel: Travel): void {
  let shown: LngLat[] = [];
  let morphing = 0;

  const draw = (points: LngLat[]) => {
    shown = points;
    show(map, 'route', points.length > 1 ? [lineFeature(points)] : []);
  };

  const morphTo = (points: LngLat[]) => {
    const mine = ++morphing;
    if (shown.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches) return draw(points);
    const morph = createMorph(shown, points);
    const begin = performance.now();
    const frame = (now: number) => {
      if (mine !== morphing) return;
      const share = (now - begin) / morphMs;
      draw(morph(share));
      if (share < 1) requestAnimationFrame(frame);
      else morphing = 0;
    };
    requestAnimationFrame(frame);
  };

  let forgetting: ReturnType<typeof setTimeout> | undefined;
  const showFormer = (points: readonly LngLat[]) => {
    clearTimeout(forgetting);
    show(map, 'former', points.length > 1 ? [lineFeature(points)] : []);
    forgetting = setTimeout(() => show(map, 'former', []), formerMs);
  };

  // An address that says where the map is has its view, also with a route in it.
  let fittedFor = app.get().goTo === null ? '' : endsNow();
  const drawPlan = () => {
    if (liveTrip(app.get().navigation) !== null) return;
    const { chosen, others } = plannedLines();
    morphing = 0;
    draw(chosen);
    show(
      map,
      'alternatives',
      others.map((points) => lineFeature(points)),
    );
    const ends = endsNow();
    // A refreshed answer for the same ends must not move the view.
    if (chosen.length > 0 && ends !== fittedFor) fitView(map, [...chosen, ...others.flat()]);
    if (chosen.length > 0) fittedFor = ends;
  };

  app.watch((state) => state.plan, drawPlan);
  app.watch(shownRoute, drawPlan);
  app.watch(
    (state) => liveTrip(state.navigation)?.route ?? null,
    (route, before) => {
      if (route === null) return drawPlan();
      show(map, 'alternatives', []);
      if (before !== null) showFormer(shown);
      morphTo(ahead(travel.line(), app.get().drivenM));
    },
  );
  app.watch(
    (state) => state.drivenM,
    (drivenM) => {
      if (morphing === 0 && liveTrip(app.get().navigation)?.route) draw(ahead(travel.line(), drivenM));
    },
  );
  app.watch(
    (state) => liveTrip(state.navigation) === null,
    (over) => {
      if (!over) return;
      showFormer([]);
      drawPlan();
    },
  );
  drawPlan();
}
