import type { ComponentChildren } from 'preact';
import { messages } from './staff-messages.js';

interface StayListProps {
  readonly title: string;
  /** What is said of no stay. */
  readonly empty: string;
  /** Rows. */
  readonly children: readonly ComponentChildren[];
  /** Shows the next ones; absent: there are none. */
  readonly onMore?: (() => void) | undefined;
  /** What is said below. */
  readonly note?: ComponentChildren;
}

/** Stays with their guests, a few at a time. */
export function StayList({ title, empty, children, onMore, note }: StayListProps) {
  return (
    <section class="card">
      <h3>{title}</h3>
      {children.length === 0 && <p class="muted">{empty}</p>}
      <ul class="pick-ups">{children}</ul>
      {onMore !== undefined && (
        <div>
          <button type="button" class="link-button" onClick={onMore}>
            {messages.showMore}
          </button>
        </div>
      )}
      {note}
    </section>
  );
}
