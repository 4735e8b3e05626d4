interface Bar {
  readonly key: string;
  readonly value: number;
  /** The part of it that is drawn as failed. */
  readonly bad?: number;
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly label: string;
  /** Places for bars; the last ones are used. */
  readonly slots?: number;
  readonly size?: '' | 'small' | 'large';
}

const height = 40;

/** Bars from zero to the largest, without axes; `label` says what they show. */
export function Bars({ bars, label, slots = bars.length, size = '' }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const tall = (value: number): number => Math.max(1, (height * value) / most);
  const at = (i: number): number => (slots - bars.length + i) * 10 + 1;
  return (
    <svg
      class={`ops-bars ${size === '' ? '' : `ops-bars-${size}`}`}
      viewBox={`0 0 ${slots * 10} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map(({ key, value, bad = 0 }, i) => (
        <g key={key}>
          {/* Nothing is a line, so that it is seen to be known. */}
          <rect x={at(i)} y={height - tall(value)} width={8} height={tall(value)} class="ops-bar" />
          {bad > 0 && (
            <rect x={at(i)} y={height - tall(bad)} width={8} height={tall(bad)} class="ops-bar-bad" />
          )}
        </g>
      ))}
    </svg>
  );
}

/** How full something is, 0 to 1; the figure beside it says the same. */
export function Fill({ part }: { readonly part: number }) {
  const level = part >= 0.9 ? 'full' : part >= 0.6 ? 'high' : 'fine';
  return (
    <span class="ops-fill" aria-hidden="true">
      <span
        class={`ops-filled ops-${level}`}
        style={{ width: `${Math.min(100, Math.max(0, 100 * part))}%` }}
      />
    </span>
  );
}
