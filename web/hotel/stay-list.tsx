import { useState } from 'preact/hooks';
import { messages } from './staff-messages.js';
import { StayRow } from './stay-row.js';

const pageSize = 10;

interface StayListProps {
  readonly title: string;
  /** What is said of no stay. */
  readonly empty: string;
  /** Of reservations. */
  readonly ids: readonly string[];
  readonly typeOf: (roomTypeId: string) => string;
  /** What is said of stays that the list does not have; empty: it has all. */
  readonly more: string;
}

/** Stays with their guests, a few at a time. */
export function StayList({ title, empty, ids, typeOf, more }: StayListProps) {
  const [pages, setPages] = useState(1);
  const shown = ids.slice(0, pages * pageSize);
  return (
    <section class="card">
      <h3>{title}</h3>
      {ids.length === 0 && <p class="muted">{empty}</p>}
      <ul class="pick-ups">
        {shown.map((id) => (
          <StayRow key={id} id={id} typeOf={typeOf} />
        ))}
      </ul>
      {shown.length < ids.length && (
        <div>
          <button type="button" class="link-button" onClick={() => setPages(pages + 1)}>
            {messages.showMore}
          </button>
        </div>
      )}
      {more !== '' && <p class="muted">{more}</p>}
    </section>
  );
}
