import { useEffect, useRef, useState } from 'preact/hooks';
import type { StatusAnswer } from '#schemas/http/map.js';
import type { getPngTile } from '#schemas/http/map-tiles.js';
import { ahead, type LngLat } from '../geometry/line.js';
import { layoutPadding } from '../map/layout-padding.js';
import * as messages from '../map/messages.js';
import { type Box, startView } from '../map/start-view.js';
import type { Travel } from '../navigation/travel.js';
import { placePoint } from '../route/plan-route.js';
import { plannedLines } from '../route/planned-lines.js';
import { liveTrip } from '../state/navigation-state.js';
import { shownRoute } from '../state/plan-parts.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Overlay } from './overlay.js';
import { boxOf, cameraFor, pixelOf, positionAt, tilesOf, zoomMax } from './picture.js';

interface Props {
  readonly tileset: StatusAnswer['tileset'];
  readonly travel: Travel;
}

const tilePath: (typeof getPngTile)['path'] = '/v1/tiles/{z}/{x}/{y}.png';
const tileUrl = (name: string): string => tilePath.replace('{z}/{x}/{y}', name);

/**
 * The map as a picture of PNG tiles, for a browser without WebGL: it shows routes, ends and closures, follows
 * what is planned, and takes clicks. `camera` of the page's state says where it is, at a whole zoom level.
 */
export function StaticMap({ tileset, travel }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const camera = usePart((state) => state.camera);

  useEffect(() => {
    const element = frame.current as HTMLDivElement;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = frame.current as HTMLDivElement;
    const look = (box: Box | undefined) => {
      const { clientWidth: width, clientHeight: height } = element;
      if (box !== undefined) app.set({ camera: cameraFor(box, width, height, layoutPadding(width, height)) });
    };
    const { goTo } = app.get();
    if (goTo === null) look(startView(tileset));
    else app.set({ camera: { ...goTo, zoom: Math.min(zoomMax, Math.round(goTo.zoom)) } });
    const lookAtPlan = () => {
      const { chosen, others } = plannedLines();
      look(boxOf([...chosen, ...others.flat()]));
    };
    const stops = [
      app.watch((state) => state.plan, lookAtPlan),
      app.watch(
        (state) => state.lookAt,
        (points) => look(boxOf(points)),
      ),
      app.watch(
        (state) => state.goTo,
        (wanted) => wanted !== null && app.set({ camera: { ...wanted, zoom: Math.round(wanted.zoom) } }),
      ),
    ];
    lookAtPlan();
    return () => {
      for (const stop of stops) stop();
    };
  }, [tileset]);

  const lines = useLines(travel);
  const { width, height } = size;
  const middle = camera === null ? { x: 0, y: 0 } : pixelOf([camera.lng, camera.lat], camera.zoom);
  const corner = { x: middle.x - width / 2, y: middle.y - height / 2 };
  return (
    // The places of a route are also typed, so no key needs the picture.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    <div
      class="static-map"
      ref={frame}
      role="img"
      aria-label={messages.mapLabel(tileset.name)}
      onClick={(event) => {
        if (camera === null || liveTrip(app.get().navigation) !== null) return;
        const { left, top } = event.currentTarget.getBoundingClientRect();
        const at = { x: corner.x + event.clientX - left, y: corner.y + event.clientY - top };
        placePoint(positionAt(at, camera.zoom));
      }}
    >
      {camera !== null && (
        <>
          {tilesOf(corner, width, height, camera.zoom).map(({ name, left, top }) => (
            <img key={name} src={tileUrl(name)} alt="" style={{ left: `${left}px`, top: `${top}px` }} />
          ))}
          <Overlay corner={corner} zoom={camera.zoom} width={width} height={height} lines={lines} />
        </>
      )}
    </div>
  );
}

/** Closer or farther by whole levels. */
export function zoomStaticMap(by: 1 | -1): void {
  const { camera } = app.get();
  if (camera === null) return;
  app.set({ camera: { ...camera, zoom: Math.max(1, Math.min(zoomMax, camera.zoom + by)) } });
}

/** What is planned, or the rest of what is driven. */
function useLines(travel: Travel): {
  readonly chosen: readonly LngLat[];
  readonly others: readonly LngLat[][];
} {
  const drivenM = usePart((state) => (liveTrip(state.navigation)?.route ? state.drivenM : null));
  usePart((state) => state.plan);
  usePart(shownRoute);
  if (drivenM !== null) return { chosen: ahead(travel.line(), drivenM), others: [] };
  return plannedLines();
}
