import { parsePosition } from '../format/position-text.js';
import { app, say } from '../state/state.js';
import { clickStart } from './messages.js';

/** `/?to=35.9110,14.5020` opens the map with the destination set; hotel pages link to it. */
export function readDestinationFromUrl(): void {
  const asked = new URLSearchParams(location.search).get('to');
  if (asked === null) return;
  const end = parsePosition(asked);
  if (end === null) return;
  app.set({ end });
  say(clickStart);
}
