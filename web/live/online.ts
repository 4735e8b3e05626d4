import { watchBusy } from '../http/load.js';
import { app } from '../state/state.js';

/** Follows whether the browser has a network, and whether the server has time. */
export function runOnline(): void {
  const update = () => app.set({ online: navigator.onLine });
  addEventListener('online', update);
  addEventListener('offline', update);
  update();
  watchBusy((busy) => app.set({ busy }));
}
