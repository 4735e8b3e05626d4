import { liveTrip } from '../state/navigation-state.js';
import { app } from '../state/state.js';

/**
 * Keeps the screen on during a drive, where the browser can. A hidden page loses the lock and gets it again.
 */
export function runWakeLock(): void {
  let lock: WakeLockSentinel | null = null;
  const update = async (): Promise<void> => {
    const wanted = liveTrip(app.get().navigation) !== null && document.visibilityState === 'visible';
    if (!wanted) {
      await lock?.release();
      lock = null;
    } else if (lock === null || lock.released) {
      lock = await navigator.wakeLock.request('screen');
    }
  };
  if (!('wakeLock' in navigator)) return;
  // A low battery refuses it; the drive goes on.
  const again = () => void update().catch(() => {});
  app.watch((state) => liveTrip(state.navigation) !== null, again);
  document.addEventListener('visibilitychange', again);
}
