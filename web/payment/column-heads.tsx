interface Props {
  readonly titles: readonly string[];
  /** Places of columns of amounts, which are aligned at their end. */
  readonly numbers: ReadonlySet<number>;
}

/** The head of a table with amounts. */
export function ColumnHeads({ titles, numbers }: Props) {
  return (
    <thead>
      <tr>
        {titles.map((title, at) => (
          <th key={title} class={numbers.has(at) ? 'number' : ''}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
