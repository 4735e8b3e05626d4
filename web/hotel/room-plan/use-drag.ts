import { useRef } from 'preact/hooks';
import type { PlanStay, RoomPlanView } from '#schemas/http/hotel-desk.js';
import { type Held, isSameRow, type Row, shiftWithin } from './drop.js';
import type { Moves } from './use-moves.js';

/** A mouse that moves less than this is a click. */
const slackPx = 5;
/** A finger that stays so long drags; one that moves before scrolls. */
const holdMs = 400;
/** So near to the edge of the window the page scrolls. */
const edgePx = 48;

interface Drag {
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  /** Of one night, in pixels. */
  readonly nightPx: number;
  /** Runs until a finger has stayed long enough. */
  readonly timer: number | undefined;
  isOn: boolean;
}

/** Handlers of a bar: it is dragged by mouse, pen or, after a long press, by a finger. */
export function useDrag(plan: RoomPlanView, { now, pickUp, hold, drop, putBack }: Moves) {
  const drag = useRef<Drag | null>(null);
  /** The click that ends a drag means nothing. */
  const swallows = useRef(false);

  const begin = (bar: HTMLElement, stay: PlanStay, roomID: string | null) => {
    const { current } = drag;
    if (current === null || current.isOn) return;
    pickUp(stay, roomID, true);
    if (now.current?.kind !== 'held' || now.current.held.stay !== stay) return;
    current.isOn = true;
    swallows.current = true;
    bar.setPointerCapture(current.pointerId);
    bar.focus({ preventScroll: true });
  };
  const stop = () => {
    clearTimeout(drag.current?.timer);
    const wasOn = drag.current?.isOn === true;
    drag.current = null;
    return wasOn;
  };

  return (stay: PlanStay, roomID: string | null) => ({
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || now.current !== null || drag.current !== null) return;
      const bar = event.currentTarget as HTMLElement;
      const track = bar.closest<HTMLElement>('.plan-track')!;
      swallows.current = false;
      drag.current = {
        ...{ pointerId: event.pointerId, x: event.clientX, y: event.clientY, isOn: false },
        nightPx: track.clientWidth / nightsIn(track),
        timer: event.pointerType === 'mouse' ? undefined : setTimeout(() => begin(bar, stay, roomID), holdMs),
      };
    },
    onPointerMove(event: PointerEvent) {
      const { current } = drag;
      if (current === null || event.pointerId !== current.pointerId) return;
      const [x, y] = [event.clientX - current.x, event.clientY - current.y];
      if (!current.isOn) {
        if (Math.hypot(x, y) < slackPx) return;
        if (event.pointerType !== 'mouse') return void stop();
        begin(event.currentTarget as HTMLElement, stay, roomID);
      }
      if (now.current?.kind !== 'held') return;
      const { held } = now.current;
      const row = rowAt(event.clientX, event.clientY) ?? held.row;
      const shift = shiftWithin(plan, stay, Math.round(x / current.nightPx));
      if (!isSameRow(row, held.row) || shift !== held.shift) hold({ ...held, row, shift }, true);
      if (event.clientY < edgePx) scrollBy(0, -edgePx / 4);
      if (event.clientY > innerHeight - edgePx) scrollBy(0, edgePx / 4);
    },
    onPointerUp() {
      if (stop()) drop();
    },
    onPointerCancel() {
      if (stop()) putBack();
    },
    // Otherwise a finger that drags would scroll.
    onTouchMove(event: TouchEvent) {
      if (drag.current?.isOn === true) event.preventDefault();
    },
    onContextMenu(event: Event) {
      if (drag.current !== null) event.preventDefault();
    },
    onClick(event: MouseEvent) {
      if (swallows.current) {
        swallows.current = false;
        event.stopPropagation();
        return;
      }
      const held: Held | undefined = now.current?.held;
      if (held === undefined) pickUp(stay, roomID);
      // A click on another bar is one on its row.
      else if (held.stay !== stay || held.roomID !== roomID) return;
      else drop();
      event.stopPropagation();
    },
  });
}

export type Drags = ReturnType<typeof useDrag>;

const nightsIn = (track: HTMLElement): number => Number(track.dataset['nights']);

function rowAt(x: number, y: number): Row | undefined {
  const found = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-row]');
  return found === null || found === undefined ? undefined : (JSON.parse(found.dataset['row']!) as Row);
}
