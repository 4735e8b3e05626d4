import { useMemo } from 'preact/hooks';
import type { StatusAnswer } from '#schemas/http/map.js';
import { usePart } from '../state/use-part.js';
import * as messages from './messages.js';
import { SparkLine } from './spark-line.js';

interface Figure {
  readonly label: string;
  readonly unit?: string;
  /** A count that only grows is drawn from its lowest value, anything else from zero. */
  readonly grows?: true;
  readonly of: (status: StatusAnswer) => number | null;
}

const figures: readonly Figure[] = [
  { label: messages.pointsPerSecond, of: (status) => status.points_per_second },
  { label: messages.drivers, of: (status) => status.drivers },
  { label: messages.navigations, of: (status) => status.navigations },
  { label: messages.reroutes, grows: true, of: (status) => status.reroutes },
  { label: messages.metricVersion, grows: true, of: (status) => status.metric_version },
  { label: messages.causeToPush, unit: messages.milliseconds, of: (status) => status.cause_to_push_ms },
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

/** Scrolls on a narrow screen, also with the arrow keys. */
export function Figures() {
  const history = usePart((state) => state.history);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the focus
    <section class="figures" aria-label={messages.figures} tabIndex={0}>
      <dl>
        {figures.map((figure) => (
          <FigureView key={figure.label} figure={figure} history={history} />
        ))}
      </dl>
    </section>
  );
}
