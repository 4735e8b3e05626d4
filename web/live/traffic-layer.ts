import type { Map as MapLibre } from 'maplibre-gl';
import type { TrafficAnswer } from '#schemas/http/map.js';
import { ask } from '../http/ask.js';
import { trafficPath } from '../http/paths.js';
import { poll } from '../http/poll.js';
import { type OverlayFeature, show } from '../map/overlay.js';

/** Colours change with a new metric, seldom more often; each request costs a slow phone a part of a frame. */
const everyMs = 2_000;

/** Colours the edges whose speed differs from free flow; the server answers 304 while nothing has changed. */
export function drawTraffic(map: MapLibre): void {
  let since = '';
  poll(everyMs, async () => {
    const answer = await ask<TrafficAnswer>(`${trafficPath}${since}`);
    if (answer === null) return;
    since = `?since=${answer.metric_version}&tileset=${answer.tileset_id}`;
    show(map, 'traffic', answer.features as OverlayFeature[]);
  });
}
