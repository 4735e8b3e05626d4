import type { ComponentChildren } from 'preact';
import { messages as shared } from '../hotel/messages.js';
import { Skeleton } from '../ui/skeleton.js';
import { timeOfDay } from './figures.js';
import { messages } from './messages.js';
import type { Polled } from './use-polled.js';

interface WatchedProps<Value> {
  readonly state: Polled<Value | null>;
  readonly again: () => void;
  /** The page shows the time of its own answer already. */
  readonly isPart?: boolean;
  readonly children: (value: Value) => ComponentChildren;
}

/** The last answer with its age, and why there is no newer one; before the first, that it is awaited. */
export function Watched<Value>({
  state: { value, atMs, trouble },
  again,
  isPart = false,
  children,
}: WatchedProps<Value>) {
  return (
    <>
      {trouble === null ? (
        value !== null && !isPart && <p class="muted ops-updated">{messages.updatedAt(timeOfDay(atMs))}</p>
      ) : (
        <div class="ops-trouble" role="alert">
          <p>
            {messages[trouble]} {value !== null && messages.lastFigures(timeOfDay(atMs))}
          </p>
          {trouble !== 'denied' && trouble !== 'signedOut' && (
            <button type="button" class="link-button" onClick={again}>
              {messages.retryNow}
            </button>
          )}
        </div>
      )}
      {value === null && trouble === null && <Skeleton text={shared.loading} />}
      {value !== null && children(value)}
    </>
  );
}
