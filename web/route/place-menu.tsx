import { useEffect, useRef } from 'preact/hooks';
import type { Position } from '#schemas/http/shapes.js';
import { positionText } from '../format/position-text.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import * as messages from './messages.js';
import { hasRoom, insertStop } from './stops.js';

/** What can be done with a place on the map; opened by a right click or a long press, closed by Escape. */
export function PlaceMenu() {
  const menu = usePart((state) => state.menu);
  const hasEnds = usePart((state) => state.start !== null && state.end !== null);
  const mayAdd = usePart(hasRoom);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), [menu]);
  if (menu === null) return null;
  const pick = (act: (at: Position) => void) => () => {
    act(menu.at);
    app.set({ menu: null });
  };
  const left = Math.min(menu.x, innerWidth - 220);
  const top = Math.min(menu.y, innerHeight - 200);
  return (
    <section
      class="place-menu"
      aria-label={messages.placeMenu}
      style={{ left: `${left}px`, top: `${top}px` }}
    >
      <p class="muted">{positionText(menu.at)}</p>
      <button ref={first} type="button" onClick={pick((start) => app.set({ start, chosen: 0 }))}>
        {messages.fromHere}
      </button>
      <button type="button" onClick={pick((end) => app.set({ end, chosen: 0 }))}>
        {messages.toHere}
      </button>
      <button type="button" onClick={pick((reachFrom) => app.set({ reachFrom }))}>
        {messages.reachHere}
      </button>
      {hasEnds && mayAdd && (
        <button type="button" onClick={pick(insertStop)}>
          {messages.stopHere}
        </button>
      )}
    </section>
  );
}
