import type { ComponentChildren } from 'preact';

interface TableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** Columns with figures, which are aligned at their ends. */
  readonly figures: readonly number[];
  readonly children: ComponentChildren;
}

/** A table that scrolls by itself on a narrow screen, also with the arrow keys. */
export function Table({ label, columns, figures, children }: TableProps) {
  const aligned = figures.map((column) => `ops-end-${column + 1}`).join(' ');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the focus
    <section class="card scroll" aria-label={label} tabIndex={0}>
      <table class={`table ops-table ${aligned}`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
