import { useEffect, useRef, useState } from 'preact/hooks';
import { app, type PickedRoad } from '../state/state.js';
import { closeRoad } from './closures.js';

/** The button that takes the focus back when the form is gone. */
export const closeRoadButtonId = 'close-road';

const durations = [
  { label: '10 minutes', seconds: 600 },
  { label: '30 minutes', seconds: 1_800 },
  { label: '2 hours', seconds: 7_200 },
  { label: '1 day', seconds: 86_400 },
] as const;

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
    });
    setBusy(false);
    // Another road may have been picked while this one was closed.
    if (closed && app.get().picked === road) app.set({ picked: null, tool: 'route' });
  };

  return (
    <form class="card closure-form" aria-labelledby="closure-title" onSubmit={(event) => void submit(event)}>
      <h2 id="closure-title">Close {road.name === '' ? 'this road' : road.name}?</h2>
      <label class="field">
        Reason
        <input
          ref={reason}
          name="note"
          type="text"
          maxLength={200}
          placeholder="Burst water main"
          autocomplete="off"
        />
      </label>
      <label class="field">
        For
        <select name="expires">
          {durations.map(({ label, seconds }) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input name="both" type="checkbox" defaultChecked /> Both directions
      </label>
      <div class="button-row">
        <button type="submit" class="main-button danger" disabled={busy}>
          {busy ? 'Closing…' : 'Close this road'}
        </button>
        <button
          type="button"
          class="main-button quiet"
          onClick={() => app.set({ picked: null, tool: 'route' })}
        >
          Cancel
        </button>
      </div>
    </form>
  );
}
