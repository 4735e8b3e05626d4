import type { ComponentChildren } from 'preact';
import { Bars } from './bars.js';
import { age, count, duration, latency, rate, share } from './figures.js';
import { messages } from './messages.js';
import { intervalsShown, lagMax, totalOf, type ViewProps, viewAddress } from './seen.js';

/** The state of the platform, and its figures; each leads to its view. */
export function Overview({ seen }: ViewProps) {
  return (
    <>
      <h2 class="unseen">{messages.tabs.overview}</h2>
      <StateCard seen={seen} />
      <h3 class="ops-heading">{messages.figures}</h3>
      <ul class="ops-tiles">
        <LagTile seen={seen} />
        <ClosureTile seen={seen} />
        <RequestTile seen={seen} />
        <FailureTile seen={seen} />
        <QueueTile seen={seen} />
        <DriverTile seen={seen} />
      </ul>
    </>
  );
}

function StateCard({ seen }: ViewProps) {
  const { readiness, program } = seen;
  const needed = readiness.missing.filter((each) => each.needed);
  const dispensable = readiness.missing.filter((each) => !each.needed);
  return (
    <section class="card ops-state">
      <p class={readiness.ready ? 'ops-ready' : 'ops-not-ready'}>
        {readiness.ready ? messages.ready : messages.notReady}
      </p>
      {readiness.ready && dispensable.length === 0 && <p>{messages.readyText}</p>}
      {needed.length > 0 && <Missing title={messages.notReadyText} conditions={needed} />}
      {dispensable.length > 0 && <Missing title={messages.without} conditions={dispensable} />}
      <dl class="ops-facts">
        <Fact name={messages.program}>{messages.programs[program.name] ?? program.name}</Fact>
        <Fact name={messages.version}>{program.version}</Fact>
        <Fact name={messages.runningFor}>
          {duration(Date.parse(seen.at) - Date.parse(program.started_at))}
        </Fact>
        <Fact name={messages.map}>{seen.map.name}</Fact>
        {seen.map.release_id !== null && (
          <Fact name={messages.release}>
            <code>{seen.map.release_id}</code>
          </Fact>
        )}
        <Fact name={messages.metricAge}>
          {seen.map.metric_published_at === null
            ? messages.noMetric
            : age(seen.map.metric_published_at, seen.at)}
        </Fact>
        <Fact name={messages.metrics}>
          <ul class="ops-metrics">
            {seen.map.metrics.map(({ mode, version }) => (
              <li key={mode}>
                {messages.modes[mode]}: {version === 0 ? messages.emptyRoads : count(version)}
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
    </section>
  );
}

interface MissingProps {
  readonly title: string;
  readonly conditions: readonly { readonly name: string; readonly reason: string }[];
}

function Missing({ title, conditions }: MissingProps) {
  return (
    <div>
      <p>{title}</p>
      <ul class="ops-missing">
        {conditions.map(({ name, reason }) => (
          <li key={name}>
            <strong>{messages.conditions[name] ?? messages.groups[name] ?? name}</strong>{' '}
            {/* The program describes its faults in English. */}
            <span lang="en">{reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface TileProps {
  readonly title: string;
  readonly figure: string;
  readonly detail: string;
  readonly address: string;
  readonly isBad?: boolean;
  readonly children?: ComponentChildren;
}

function Tile({ title, figure, detail, address, isBad = false, children }: TileProps) {
  return (
    <li>
      <a class="ops-tile" href={address}>
        <span class="ops-tile-title">{title}</span>
        <span class={isBad ? 'ops-figure bad-figure' : 'ops-figure'}>{figure}</span>
        <span class="muted">{detail}</span>
        {children}
      </a>
    </li>
  );
}

function LagTile({ seen: { lags } }: ViewProps) {
  const [largest] = lags.groups;
  const known = lags.unknown_because === null;
  return (
    <Tile
      title={messages.largestLag}
      figure={
        known ? messages.records(largest?.records ?? 0, count(largest?.records ?? 0)) : messages.unknown
      }
      detail={
        largest === undefined || largest.records === 0
          ? known
            ? messages.noLag
            : ''
          : (messages.groups[largest.group] ?? largest.group)
      }
      address={viewAddress('lags')}
      isBad={!known || (largest?.records ?? 0) >= lagMax}
    />
  );
}

function ClosureTile({ seen: { closures } }: ViewProps) {
  const detected = closures.shown.filter(({ source }) => source === 'detected').length;
  return (
    <Tile
      title={messages.activeClosures}
      figure={count(closures.total)}
      detail={
        closures.total === 0
          ? messages.allOpen
          : closures.shown.length < closures.total
            ? messages.onlyNewest(count(closures.shown.length), count(closures.total))
            : messages.counted(count(detected), count(closures.total - detected))
      }
      address={viewAddress('closures')}
    />
  );
}

function RequestTile({ seen }: ViewProps) {
  const { requests } = seen;
  const most = Math.max(0, ...requests.intervals.map((each) => each.requests));
  return (
    <Tile
      title={messages.requestRate}
      figure={rate(totalOf(seen).perSecond)}
      detail={messages.ofLastMinutes(duration(1_000 * requests.covered_s))}
      address={viewAddress('requests')}
    >
      <Bars
        slots={intervalsShown}
        label={messages.requestBars(rate(most / requests.interval_s))}
        bars={requests.intervals.map((each) => ({
          key: each.ended_at,
          value: each.requests,
          bad: each.failed,
        }))}
      />
    </Tile>
  );
}

function FailureTile({ seen }: ViewProps) {
  const { requests, failed } = totalOf(seen);
  const slowest = seen.requests.operations
    .filter(({ operation }) => operation !== null)
    .reduce((most, each) => Math.max(most, each.p99_ms), 0);
  return (
    <Tile
      title={messages.failedShare}
      figure={share(requests === 0 ? 0 : failed / requests)}
      detail={messages.slowest(latency(slowest))}
      address={viewAddress('requests')}
      isBad={failed > 0 && failed / requests >= 0.01}
    />
  );
}

function QueueTile({ seen: { requests } }: ViewProps) {
  const saturation = ({ waiting, limit }: (typeof requests.queues)[number]): number => waiting / limit;
  const fullest = requests.queues.toSorted((a, b) => saturation(b) - saturation(a))[0];
  return (
    <Tile
      title={messages.fullestQueue}
      figure={fullest === undefined ? messages.none : share(saturation(fullest))}
      detail={fullest === undefined ? '' : (messages.queues[fullest.name] ?? fullest.name)}
      address={viewAddress('requests')}
      isBad={fullest !== undefined && saturation(fullest) >= 0.9}
    />
  );
}

function DriverTile({ seen: { load } }: ViewProps) {
  return (
    <Tile
      title={messages.activeDrivers}
      figure={count(load.drivers)}
      detail={[
        messages.locations(rate(load.points_per_second)),
        messages.navigating(load.navigations, count(load.navigations)),
      ].join(' · ')}
      address={viewAddress('load')}
    />
  );
}
