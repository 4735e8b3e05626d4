import { useEffect, useState } from 'preact/hooks';
import { watchBusy } from '../http/load.js';
import { messages } from './messages.js';

/** One line while the browser has no network, or the server asked to wait. */
export function ConnectionLine() {
  const [online, setOnline] = useState(navigator.onLine);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    const unwatch = watchBusy(setBusy);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
      unwatch();
    };
  }, []);
  return (
    <div aria-live="polite" class="connection">
      {!online ? <p>{messages.offlineNow}</p> : busy && <p>{messages.busyNow}</p>}
    </div>
  );
}
