import { useMemo } from 'preact/hooks';
import type { StatusAnswer } from '#schemas/http/map.js';
import { usePart } from '../state/use-part.js';
import { SparkLine } from './spark-line.js';

interface Figure {
  readonly label: string;
  readonly unit?: string;
  /** A count that only grows is drawn from its lowest value, anything else from zero. */
  readonly grows?: true;
  readonly of: (status: StatusAnswer) => number | null;
}

const figures: readonly Figure[] = [
  { label: 'Points a second', of: (status) => status.points_per_second },
  { label: 'Drivers', of: (status) => status.drivers },
  { label: 'Navigations', of: (status) => status.navigations },
  { label: 'Reroutes', grows: true, of: (status) => status.reroutes },
  { label: 'Metric version', grows: true, of: (status) => status.metric_version },
  { label: 'Cause to push', unit: 'ms', of: (status) => status.cause_to_push_ms },
];

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

function FigureView({ figure, history }: { figure: Figure; history: readonly StatusAnswer[] }) {
  const values = useMemo(() => history.map(figure.of), [history, figure]);
  const value = values.at(-1) ?? null;
  return (
    <div class="figure">
      <dt>{figure.label}</dt>
      <dd>
        {value === null ? '–' : whole.format(value)}
        {value !== null && figure.unit !== undefined && <small> {figure.unit}</small>}
      </dd>
      <SparkLine values={values} fromZero={figure.grows !== true} />
    </div>
  );
}

export function Figures() {
  const history = usePart((state) => state.history);
  return (
    <dl class="figures" aria-label="The city now">
      {figures.map((figure) => (
        <FigureView key={figure.label} figure={figure} history={history} />
      ))}
    </dl>
  );
}
