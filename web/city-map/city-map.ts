import { GPUInitializationError, Map as MapLibre, type MapOptions, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import type { StatusAnswer } from '#schemas/http/map.js';
import { drawIncidents } from '../incidents/incidents-layer.js';
import { drawDrivers } from '../live/drivers-layer.js';
import { drawTraffic } from '../live/traffic-layer.js';
import { roadSourceOf, type TileJson } from '../map/base-map.js';
import { layoutPadding } from '../map/layout-padding.js';
import * as messages from '../map/messages.js';
import { serveRoadTiles } from '../map/road-tiles.js';
import { setShield } from '../map/shield.js';
import { type Box, startView } from '../map/start-view.js';
import { layers, mapStyle } from '../map/style.js';
import { currentPalette, followTheme } from '../map/theme.js';
import { trustWorker } from '../map/worker-policy.js';
import type { Travel } from '../navigation/travel.js';
import { drawReach } from '../reach/reach-layer.js';
import { drawRoute } from '../route/route-layer.js';
import { app, say } from '../state/state.js';
import { keepCamera } from './camera.js';
import { placeMarkers } from './markers.js';
import { wirePointer } from './pointer.js';
import { placeRouteLabels } from './route-labels.js';

/**
 * Space around the city for a tall or a wide screen, and no more, so that users do not get lost in the empty
 * world.
 */
function roaming([west, south, east, north]: Box): Box {
  const room = 2.5 * Math.max(east - west, north - south);
  return [west - room, Math.max(-85, south - room), east + room, Math.min(85, north + room)];
}

/** Takes long where the graphics card is slow, and is therefore its own test of WebGL. Null without WebGL. */
function openMap(options: MapOptions): MapLibre | null {
  try {
    return new MapLibre(options);
  } catch (cause) {
    if (cause instanceof GPUInitializationError) return null;
    throw cause;
  }
}

/** Null in a browser without WebGL. */
export async function openCityMap(
  container: HTMLElement,
  tileset: StatusAnswer['tileset'],
  tileJson: TileJson,
  travel: Travel,
): Promise<MapLibre | null> {
  trustWorker(workerUrl);
  setWorkerUrl(workerUrl);
  serveRoadTiles();
  const bounds = tileset.bounds as Box;
  const opened = app.get().goTo;
  const map = openMap({
    container,
    // A test does it: on a slow phone it takes a tenth of a second.
    validateStyle: false,
    style: mapStyle(currentPalette(), tileJson, location.origin),
    ...(opened === null
      ? {
          bounds: startView(tileset),
          fitBoundsOptions: { padding: layoutPadding(container.clientWidth, container.clientHeight) },
        }
      : { center: [opened.lng, opened.lat], zoom: opened.zoom }),
    maxBounds: roaming(bounds),
    maxZoom: 21,
    // Tiles above those of the server are these, larger: cut into four each, they lose labels of points.
    zoomLevelsToOverscale: 21,
    maxPitch: 60,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: 120,
  });
  if (map === null) return null;
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.getCanvas().setAttribute('aria-label', messages.mapLabel(tileset.name));
  map.on('error', ({ error }) => {
    if (app.get().server === 'answers') say(messages.tileFailed(error.message), 'bad');
  });
  await map.once('style.load');
  setShield(map, currentPalette());
  wirePointer(map);
  drawReach(map);
  drawRoute(map, travel);
  drawIncidents(map);
  drawTraffic(map);
  const drivers = drawDrivers(map);
  const from = roadSourceOf(tileJson);
  followTheme(
    map,
    (palette) => layers(palette, from),
    (palette) => {
      setShield(map, palette);
      drivers.repaint(palette);
    },
  );
  placeMarkers(map, travel);
  placeRouteLabels(map);
  keepCamera(map);
  return map;
}
