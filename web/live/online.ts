import { app } from '../state/state.js';

/** Follows whether the browser has a network. */
export function runOnline(): void {
  const update = () => app.set({ online: navigator.onLine });
  addEventListener('online', update);
  addEventListener('offline', update);
  update();
}
