import type { ComponentChildren } from 'preact';
import { messages } from './staff-messages.js';
import { dayText } from './texts.js';
import { Wide } from './wide.js';

interface NightsTableProps {
  /** Of the rows: id and name. */
  readonly types: ReadonlyArray<readonly [id: string, name: string]>;
  readonly dates: readonly string[];
  /** A `td`. */
  readonly cell: (typeId: string, date: string) => preact.VNode;
  readonly class?: string;
  readonly caption?: string;
  /** Behind the rows. */
  readonly children?: ComponentChildren;
}

/** `Mon`, and under it, where there is little room, `4 Jan`. */
export function Night({ date }: { readonly date: string }) {
  const [weekday, ...day] = dayText(date).split(' ');
  return (
    <>
      <span class="weekday">{weekday?.replace(',', '')}</span> {day.join(' ')}
    </>
  );
}

/** Room types by night. */
export function NightsTable({ types, dates, cell, caption, children, class: more }: NightsTableProps) {
  return (
    <Wide label={caption ?? messages.calendar}>
      <table class={more === undefined ? 'table' : `table ${more}`}>
        {caption !== undefined && <caption class="unseen">{caption}</caption>}
        <thead>
          <tr>
            <th scope="col">{messages.roomType}</th>
            {dates.map((date) => (
              <th key={date} scope="col">
                <Night date={date} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {types.map(([id, name]) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {dates.map((date) => cell(id, date))}
            </tr>
          ))}
        </tbody>
        {children}
      </table>
    </Wide>
  );
}
