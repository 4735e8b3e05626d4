import type { Map as MapLibre } from 'maplibre-gl';
import type { TrafficAnswer } from '#schemas/http/map.js';
import { ask } from '../http/ask.js';
import { trafficPath } from '../http/paths.js';
import { poll } from '../http/poll.js';
import { type OverlayFeature, show } from '../map/overlay.js';
import { app } from '../state/state.js';

const everyMs = 2_000;

const metricOf = (tileset: string, version: number) => `${tileset} ${version}`;

/**
 * Colours the edges whose speed differs from free flow. It is requested when the figures of the city name
 * another metric: each request costs a slow phone a part of a frame.
 */
export function drawTraffic(map: MapLibre): void {
  let since = '';
  let shown: string | undefined;
  poll(everyMs, async () => {
    const { status } = app.get();
    if (status !== null && shown === metricOf(status.tileset.id, status.metric_version)) return;
    const answer = await ask<TrafficAnswer>(`${trafficPath}${since}`);
    if (answer === null) return;
    shown = metricOf(answer.tileset_id, answer.metric_version);
    since = `?since=${answer.metric_version}&tileset=${answer.tileset_id}`;
    show(map, 'traffic', answer.features as OverlayFeature[]);
  });
}
