import { useLayoutEffect, useState } from 'preact/hooks';
import type { Position } from '#schemas/http/shapes.js';
import { parsePosition, positionText } from './position-text.js';

interface PlaceFieldProps {
  readonly label: 'Start' | 'End';
  readonly position: Position | null;
  readonly onPlace: (position: Position) => void;
}

/** A place as text, so that a route can be planned without a pointer. */
export function PlaceField({ label, position, onPlace }: PlaceFieldProps) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  // Before the next paint: on a slow machine a later effect would wipe out what was typed meanwhile.
  useLayoutEffect(() => {
    setText(position === null ? '' : positionText(position));
    setWrong(false);
  }, [position]);

  const commit = (typed: string) => {
    if (typed.trim() === '' || (position !== null && typed === positionText(position)))
      return setWrong(false);
    const parsed = parsePosition(typed);
    setWrong(parsed === null);
    if (parsed !== null) onPlace(parsed);
  };

  const id = `place-${label.toLowerCase()}`;
  return (
    <div class="place">
      <span class={`place-dot place-dot-${label.toLowerCase()}`} aria-hidden="true" />
      <label class="unseen" for={id}>
        {label}, as latitude and longitude
      </label>
      <input
        id={id}
        type="text"
        inputMode="text"
        autocomplete="off"
        spellcheck={false}
        placeholder={`${label}: click, or type lat, lng`}
        value={text}
        aria-invalid={wrong}
        {...(wrong ? { 'aria-describedby': `${id}-wrong` } : {})}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={(event) => commit(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && commit(event.currentTarget.value)}
      />
      {wrong && (
        <p id={`${id}-wrong`} class="field-error">
          Write it like 57.7089, 11.9746: latitude first.
        </p>
      )}
    </div>
  );
}
