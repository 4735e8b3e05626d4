import { useEffect, useState } from 'preact/hooks';
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
  useEffect(() => {
    setText(position === null ? '' : positionText(position));
    setWrong(false);
  }, [position]);

  const commit = () => {
    if (text.trim() === '' || (position !== null && text === positionText(position))) return setWrong(false);
    const parsed = parsePosition(text);
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
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
      {wrong && (
        <p id={`${id}-wrong`} class="field-error">
          Write it like 57.7089, 11.9746: latitude first.
        </p>
      )}
    </div>
  );
}
