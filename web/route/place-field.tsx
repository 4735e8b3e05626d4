import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { parsePosition, positionText } from '../format/position-text.js';
import { addressAt, type Suggestion, suggest } from '../search/suggest.js';
import type { NamedPlace } from '../state/state.js';
import * as messages from './messages.js';
import { useSuggestions } from './use-suggestions.js';

interface PlaceFieldProps {
  readonly id: string;
  /** Names the field, such as Start. */
  readonly label: string;
  readonly dot: 'start' | 'via' | 'end';
  readonly place: NamedPlace | null;
  readonly onPlace: (place: NamedPlace) => void;
}

const named = ({ location, description, place_id }: Suggestion): NamedPlace => ({
  ...location,
  name: description,
  placeId: place_id,
});

/** The text of a place in the field: its name, else its address, else its coordinates. */
function usePlaceText(place: NamedPlace | null): string {
  const [address, setAddress] = useState<{ readonly of: NamedPlace; readonly text: string } | null>(null);
  useEffect(() => {
    if (place === null || place.name !== undefined) return;
    const asking = new AbortController();
    addressAt(place, asking.signal).then(
      (text) => text !== null && setAddress({ of: place, text }),
      () => undefined,
    );
    return () => asking.abort();
  }, [place]);
  if (place === null) return '';
  return place.name ?? (address?.of === place ? address.text : positionText(place));
}

/**
 * A place by name, address or coordinates: a combobox after the pattern of ARIA, so it works without a
 * pointer.
 */
export function PlaceField({ id, label, dot, place, onPlace }: PlaceFieldProps) {
  const shown = usePlaceText(place);
  const [text, setText] = useState(shown);
  const [typed, setTyped] = useState<string | null>(null);
  const [activeId, setActiveId] = useState('');
  /** Why the text names no place. */
  const [wrong, setWrong] = useState('');
  const { of, list: suggestions } = useSuggestions(typed);
  // The list may be replaced by the next one, so the selection is a place, not a line.
  const active = suggestions.findIndex(({ place_id }) => place_id === activeId);
  /** Counts a person's actions here: an answer to an earlier action is ignored. */
  const deeds = useRef(0);
  const before = useRef({ shown, place });
  // Before the next paint, because on a slow machine a later effect would delete text that was typed
  // meanwhile.
  useLayoutEffect(() => {
    const { shown: was, place: last } = before.current;
    before.current = { shown, place };
    // The address of a place arrives later than the place; text that was typed meanwhile stays.
    if (last === place && text !== was) return;
    if (last !== place) deeds.current += 1;
    setText(shown);
    setTyped(null);
    setWrong('');
  }, [shown, place]);

  const choose = (suggestion: Suggestion) => {
    setTyped(null);
    setWrong('');
    onPlace(named(suggestion));
  };
  /** Coordinates unchanged; other text as the geocoder's best match. */
  const commit = async (input: string): Promise<void> => {
    setTyped(null);
    if (input.trim() === '' || input === shown) return setWrong('');
    const position = parsePosition(input);
    deeds.current += 1;
    if (position !== null) return onPlace(position);
    const mine = deeds.current;
    const known = of === input ? suggestions[0] : undefined;
    try {
      const best = known ?? (await suggest(input, null, new AbortController().signal))[0];
      if (mine !== deeds.current) return;
      if (best === undefined) setWrong(messages.noPlace);
      else choose(best);
    } catch (cause) {
      if (mine === deeds.current) setWrong((cause as Error).message);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const open = suggestions.length > 0;
    const mark = (at: number) => setActiveId(suggestions[at]?.place_id ?? '');
    if (event.key === 'ArrowDown' && open) mark((active + 1) % suggestions.length);
    else if (event.key === 'ArrowUp' && open)
      mark(((active + 1 + suggestions.length) % (suggestions.length + 1)) - 1);
    else if (event.key === 'Escape') setTyped(null);
    else if (event.key === 'Enter') {
      const picked = suggestions[active];
      if (picked !== undefined) choose(picked);
      else void commit(text);
    } else return;
    if (event.key !== 'Enter') event.preventDefault();
  };

  const expanded = typed !== null && suggestions.length > 0;
  return (
    <div class="place">
      <span class={`place-dot place-dot-${dot}`} aria-hidden="true" />
      <label class="unseen" for={id}>
        {messages.placeField(label)}
      </label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={messages.placeHint(label)}
        value={text}
        aria-invalid={wrong !== ''}
        aria-autocomplete="list"
        aria-expanded={expanded}
        aria-controls={`${id}-list`}
        {...(expanded && active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
        {...(wrong !== '' ? { 'aria-describedby': `${id}-wrong` } : {})}
        onInput={(event) => {
          deeds.current += 1;
          setText(event.currentTarget.value);
          setTyped(event.currentTarget.value);
          setActiveId('');
          setWrong('');
        }}
        onBlur={(event) => void commit(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-list`}
        class="suggestions"
        role="listbox"
        tabIndex={-1}
        aria-label={messages.suggestions(label)}
        hidden={!expanded}
      >
        {expanded &&
          suggestions.map((suggestion, at) => (
            <div
              key={suggestion.place_id}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              class="suggestion"
              // Before the field loses the focus, which would commit what was typed.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(suggestion);
              }}
            >
              <b>{suggestion.structured_formatting.main_text}</b>
              <span>{suggestion.structured_formatting.secondary_text}</span>
            </div>
          ))}
      </div>
      {wrong !== '' && (
        <p id={`${id}-wrong`} class="field-error">
          {wrong}
        </p>
      )}
    </div>
  );
}
