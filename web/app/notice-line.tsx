import { useEffect } from 'preact/hooks';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import { dismiss } from './messages.js';

const showMs = 8_000;

/** One sentence at a time about what just happened or went wrong. */
export function NoticeLine() {
  const notice = usePart((state) => state.notice);
  useEffect(() => {
    if (notice === null) return;
    const timer = setTimeout(() => app.set({ notice: null }), showMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {notice !== null && (
        <p class={notice.tone === 'bad' ? 'notice notice-bad' : 'notice'}>
          <span>{notice.text}</span>
          <button
            type="button"
            class="icon-button"
            aria-label={dismiss}
            onClick={() => app.set({ notice: null })}
          >
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
