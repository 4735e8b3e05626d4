import { periodsMax } from '../events/limits.js';
import { readPeriod, readTime } from '../events/read-fields.js';
import { type Period, UnusableEvent } from '../events/road-event.js';
import { childOf, childrenOf, type Element, textOf } from './read-elements.js';

/**
 * When a record holds, in order of time. `active` holds whatever start is given. Periods that come back by
 * day or week have no time zone in DATEX II and are not read.
 */
export function readPeriods(validity: Element | undefined): readonly Period[] {
  const status = textOf(validity, 'validityStatus');
  if (status === 'suspended') throw new UnusableEvent('it is suspended');
  const times = childOf(validity, 'validityTimeSpecification');
  const start = textOf(times, 'overallStartTime');
  if (start === undefined) throw new UnusableEvent('it has no overallStartTime');
  const startMs = readTime(start, 'overallStartTime');
  const end = textOf(times, 'overallEndTime');
  const endMs = end === undefined ? undefined : readTime(end, 'overallEndTime');
  readPeriod(startMs, endMs);
  if (status === 'active') {
    const overruns = textOf(validity, 'overrunning') === 'true';
    return [{ startMs: Math.min(startMs, 0), endMs: overruns ? undefined : endMs }];
  }
  const listed = childrenOf(times, 'validPeriod').map((period) => readListed(period, startMs, endMs));
  const exceptions = childrenOf(times, 'exceptionPeriod').map((period) => readListed(period, startMs, endMs));
  if (listed.length + exceptions.length > periodsMax)
    throw new UnusableEvent(`it has more than ${periodsMax} periods`);
  const whole: Period[] = listed.length === 0 ? [{ startMs, endMs }] : listed;
  const left = exceptions.reduce<readonly Period[]>(
    without,
    whole.flatMap((each) => within(each, startMs, endMs)),
  );
  if (left.length === 0) throw new UnusableEvent('its periods leave no time');
  return left.toSorted((a, b) => a.startMs - b.startMs);
}

function readListed(period: Element, startMs: number, endMs: number | undefined): Period {
  if (period.children.some(({ name }) => name.startsWith('recurring')))
    throw new UnusableEvent('its times come back by day or week, which is not read');
  const [start, end] = [textOf(period, 'startOfPeriod'), textOf(period, 'endOfPeriod')];
  return readPeriod(
    start === undefined ? startMs : readTime(start, 'startOfPeriod'),
    end === undefined ? endMs : readTime(end, 'endOfPeriod'),
  );
}

const endOf = ({ endMs }: Period): number => endMs ?? Number.POSITIVE_INFINITY;

/** The part of a period between two times; nothing where there is none. */
function within(period: Period, startMs: number, endMs: number | undefined): Period[] {
  const from = Math.max(period.startMs, startMs);
  const to = Math.min(endOf(period), endMs ?? Number.POSITIVE_INFINITY);
  return from < to ? [{ startMs: from, endMs: to === Number.POSITIVE_INFINITY ? undefined : to }] : [];
}

const without = (periods: readonly Period[], { startMs, endMs }: Period): readonly Period[] =>
  periods.flatMap((period) => [
    ...within(period, Number.NEGATIVE_INFINITY, startMs),
    ...(endMs === undefined ? [] : within(period, endMs, undefined)),
  ]);
