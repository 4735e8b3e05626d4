import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { messages as guestMessages } from '../messages.js';
import { stayDates } from '../texts.js';
import type { Bar, Span } from './bars.js';
import { messages } from './plan-messages.js';
import { nameOf } from './plan-texts.js';
import type { Drags } from './use-drag.js';

interface PlanBarProps {
  readonly bar: Bar;
  /** Of the room, or what is said of a stay without one. */
  readonly place: string;
  readonly line: number;
  readonly isHeld: boolean;
  readonly isFocused: boolean;
  readonly drags: Drags;
}

/** A stay in its row. */
export function PlanBar({
  bar: { stay, roomID, span },
  place,
  line,
  isHeld,
  isFocused,
  drags,
}: PlanBarProps) {
  const button = useRef<HTMLButtonElement>(null);
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (isFocused) button.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const status = guestMessages.reservationStatus[stay.status];
  const name = messages.bar(nameOf(stay), stayDates(stay), place, status);
  return (
    <button
      ref={button}
      type="button"
      class={`plan-bar plan-${stay.status}${isHeld ? ' plan-away' : ''}${edges(span)}`}
      style={placeOf(span, line)}
      title={name}
      aria-label={name}
      aria-pressed={isHeld}
      {...drags(stay, roomID)}
    >
      <bdi>{nameOf(stay)}</bdi>
    </button>
  );
}

/** Where a held stay would be dropped. */
export function Ghost({
  name,
  span,
  isRefused,
  follows,
}: {
  readonly name: string;
  readonly span: Span;
  readonly isRefused: boolean;
  /** It stays on the screen; one that is dragged is there already. */
  readonly follows: boolean;
}) {
  const ghost = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (follows) ghost.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [span.at]);
  return (
    <span
      ref={ghost}
      class={`plan-bar plan-ghost${isRefused ? ' plan-no' : ''}${edges(span)}`}
      style={placeOf(span, 0)}
      aria-hidden="true"
    >
      {name}
    </span>
  );
}

export const placeOf = ({ at, nights }: Span, line: number) => ({
  '--at': at,
  '--long': nights,
  '--level': line,
});

const edges = ({ goesOn }: Span): string =>
  `${goesOn.before ? ' plan-from-before' : ''}${goesOn.after ? ' plan-to-after' : ''}`;
