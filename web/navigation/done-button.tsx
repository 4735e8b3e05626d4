import { stopWhenOver } from '../state/navigation-state.js';
import { app } from '../state/state.js';
import * as messages from './messages.js';

/** Back to planning, after a navigation that is over. */
export function DoneButton() {
  return (
    <button
      type="button"
      class="main-button"
      onClick={() => app.set({ navigation: stopWhenOver(app.get().navigation) })}
    >
      {messages.done}
    </button>
  );
}
