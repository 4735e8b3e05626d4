import { useEffect, useRef, useState } from 'preact/hooks';
import { app, type PickedRoad } from '../state/state.js';
import { closeRoad } from './closures.js';
import * as messages from './messages.js';

/** The button that gets the focus when the form closes. */
export const closeRoadButtonId = 'close-road';

/** Confirms a closure: which road, why, for how long. */
export function ClosureForm({ road }: { road: PickedRoad }) {
  const reason = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => reason.current?.focus(), [road]);
  useEffect(() => () => document.getElementById(closeRoadButtonId)?.focus(), []);

  const submit = async (event: Event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const note = fields.get('note');
    setBusy(true);
    const closed = await closeRoad({
      at: road.at,
      note: typeof note === 'string' ? note.trim() : '',
      expiresInS: Number(fields.get('expires')),
      bothDirections: fields.has('both'),
      forAll: fields.has('all'),
    });
    setBusy(false);
    // The user may have picked another road meanwhile.
    if (closed && app.get().picked === road) app.set({ picked: null, tool: 'route' });
  };

  return (
    <form class="card closure-form" aria-labelledby="closure-title" onSubmit={(event) => void submit(event)}>
      <h2 id="closure-title">{messages.confirmClose(road.name)}</h2>
      <label class="field">
        {messages.reason}
        <input
          ref={reason}
          name="note"
          type="text"
          maxLength={200}
          placeholder={messages.reasonExample}
          autocomplete="off"
        />
      </label>
      <label class="field">
        {messages.duration}
        <select name="expires">
          {messages.durations.map(({ label, seconds }) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input name="both" type="checkbox" defaultChecked /> {messages.bothDirections}
      </label>
      <label class="check">
        <input name="all" type="checkbox" /> {messages.forAll}
      </label>
      <div class="button-row">
        <button type="submit" class="main-button danger" disabled={busy}>
          {busy ? messages.closing : messages.closeThisRoad}
        </button>
        <button
          type="button"
          class="main-button quiet"
          onClick={() => app.set({ picked: null, tool: 'route' })}
        >
          {messages.cancel}
        </button>
      </div>
    </form>
  );
}
