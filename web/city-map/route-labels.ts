import { type Map as MapLibre, Marker } from 'maplibre-gl';
import { durationText } from '../format/format.js';
import { ownMiddle, secondsOf } from '../route/differences.js';
import { differenceText } from '../route/route-result.js';
import { liveTrip } from '../state/navigation-state.js';
import { shownRoute } from '../state/plan-parts.js';
import { app } from '../state/state.js';

/** Labels of the planned routes where each is alone: the time of the chosen one, what others take more. */
export function placeRouteLabels(map: MapLibre): void {
  let shown: Marker[] = [];
  const draw = () => {
    for (const marker of shown) marker.remove();
    shown = [];
    const { plan, navigation } = app.get();
    if (plan.kind !== 'found' || plan.answer.routes.length < 2 || liveTrip(navigation) !== null) return;
    const { answer } = plan;
    const chosen = shownRoute(app.get());
    const against = secondsOf(answer.routes[chosen] as (typeof answer.routes)[number]);
    shown = answer.routes.flatMap((route, i) => {
      const at = ownMiddle(answer.routes, i);
      if (at === undefined) return [];
      const element = document.createElement('button');
      element.type = 'button';
      element.className = i === chosen ? 'route-label route-label-chosen' : 'route-label';
      const seconds = secondsOf(route);
      element.textContent = i === chosen ? durationText(seconds) : differenceText(seconds, against);
      // Without a name of its own the library calls it a map marker.
      element.setAttribute('aria-label', element.textContent);
      element.addEventListener('click', (event) => {
        // The map would take it for a place.
        event.stopPropagation();
        app.set({ chosen: i });
      });
      const marker = new Marker({ element }).setLngLat([at[0], at[1]]).addTo(map);
      return [marker];
    });
  };
  app.watch((state) => state.plan, draw);
  app.watch(shownRoute, draw);
  app.watch((state) => liveTrip(state.navigation) === null, draw);
  draw();
}
