import { useEffect, useRef, useState } from 'preact/hooks';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import * as messages from './messages.js';
import { PlaceField } from './place-field.js';
import { moved, removeStop, type Stops, setStop, setStops, stopsOf } from './stops.js';

const labelOf = (at: number, many: number): string => {
  if (at === 0) return messages.ends.start;
  return at === many - 1 ? messages.ends.end : messages.stop(at);
};
const dotOf = (at: number, many: number) => (at === 0 ? 'start' : at === many - 1 ? 'end' : 'via');
const idOf = (at: number, many: number): string =>
  `place-${dotOf(at, many)}${dotOf(at, many) === 'via' ? at : ''}`;

/** The row under a pointer; undefined beside the list. */
function rowAt({ clientX, clientY }: PointerEvent): number | undefined {
  const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-stop]');
  return row === null || row === undefined ? undefined : Number(row.dataset['stop']);
}

/** Moves a stop: dragged with a mouse or a finger, or with the arrow keys. */
function Handle({ at, many, onMove }: { at: number; many: number; onMove: (to: number) => void }) {
  return (
    <button
      type="button"
      class="icon-button stop-handle"
      data-handle={at}
      aria-label={messages.moveStop(labelOf(at, many))}
      title={messages.moveHint}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerUp={(event) => {
        const to = rowAt(event);
        if (to !== undefined && to !== at) onMove(to);
      }}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
        if (step === 0) return;
        event.preventDefault();
        onMove(at + step);
      }}
    >
      <Icon name="grip" />
    </button>
  );
}

/** Start, stops and end: each by name, address or coordinates, in an order that can be changed. */
export function StopList() {
  const start = usePart((state) => state.start);
  const via = usePart((state) => state.via);
  const end = usePart((state) => state.end);
  const stops: Stops = [start, ...via, end];
  const list = useRef<HTMLOListElement>(null);
  const [movedTo, setMovedTo] = useState<number | null>(null);
  useEffect(() => {
    // The focus stays on the stop that was moved.
    if (movedTo !== null) list.current?.querySelector<HTMLElement>(`[data-handle="${movedTo}"]`)?.focus();
  }, [movedTo]);
  const move = (from: number, to: number) => {
    const before = stopsOf();
    const after = moved(before, from, to);
    if (after === before) return;
    setStops(after);
    setMovedTo(to);
  };
  const many = stops.length;
  return (
    <>
      <ol class="places" ref={list}>
        {stops.map((place, at) => (
          <li key={idOf(at, many)} class="stop" data-stop={at}>
            <PlaceField
              id={idOf(at, many)}
              label={labelOf(at, many)}
              dot={dotOf(at, many)}
              place={place}
              onPlace={(found) => setStop(at, found)}
            />
            {many > 2 && <Handle at={at} many={many} onMove={(to) => move(at, to)} />}
            {many > 2 && (
              <button
                type="button"
                class="icon-button"
                aria-label={messages.removeStop(labelOf(at, many))}
                onClick={() => removeStop(at)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ol>
      <p class="unseen" role="status">
        {movedTo === null ? '' : messages.movedTo(movedTo + 1, many)}
      </p>
    </>
  );
}
