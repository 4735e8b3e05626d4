import type { ComponentChildren } from 'preact';
import type { NavAnswer, NavRoute } from '#schemas/http/nav.js';
import { arrivalText, distanceText, durationText } from '../format/format.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Instruction } from '../steps/instruction.js';
import { StepList } from '../steps/step-list.js';
import { Icon } from '../ui/icon.js';
import { Warnings } from '../ui/warnings.js';
import { metresOf, ownRoad, secondsOf } from './differences.js';
import * as messages from './messages.js';

/** How much longer a route takes than the one beside it. */
export function differenceText(seconds: number, against: number): string {
  const difference = seconds - against;
  if (Math.abs(difference) < 30) return messages.sameTime;
  const amount = durationText(Math.abs(difference));
  return difference > 0 ? messages.more(amount) : messages.less(amount);
}

function Alternatives({ routes, chosen }: { routes: readonly NavRoute[]; chosen: number }) {
  const units = usePart((state) => state.units);
  if (routes.length < 2) return null;
  return (
    <fieldset class="alternatives">
      <legend class="unseen">{messages.routes}</legend>
      {routes.map((route, i) => (
        <label key={i} class="alternative">
          <input
            type="radio"
            name="alternative"
            checked={i === chosen}
            onChange={() => app.set({ chosen: i })}
          />
          <span>
            <b>{durationText(secondsOf(route))}</b> · {distanceText(metresOf(route), units)} ·{' '}
            <Instruction html={messages.via(ownRoad(routes, i))} />
            <span class="muted alternative-reason">{route.ranked_because}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** For a trip by a time of arrival, when to leave. */
const leavesAt = ({ legs: [leg] }: NavRoute): string | null =>
  leg?.departure_time === undefined ? null : arrivalText(0, new Date(leg.departure_time.value * 1_000));

interface RouteResultProps {
  readonly answer: NavAnswer;
  readonly chosen: number;
  /** Actions for the route, below the headline. */
  readonly children: ComponentChildren;
}

export function RouteResult({ answer, chosen, children }: RouteResultProps) {
  const units = usePart((state) => state.units);
  const open = usePart((state) => state.open);
  const when = usePart((state) => state.when);
  const route = answer.routes[chosen];
  if (route === undefined) return null;
  const seconds = secondsOf(route);
  const free = route.legs.reduce((sum, leg) => sum + (leg.duration_free_flow?.value ?? 0), 0);
  const slower = free > 0 ? seconds - free : 0;
  const leaves = leavesAt(route);
  const departure = when.kind === 'depart' ? new Date(when.at) : new Date();
  const arrival =
    when.kind === 'arrive' ? arrivalText(0, new Date(when.at)) : arrivalText(seconds, departure);
  const { evidence } = answer;
  const isLive = evidence !== undefined && evidence.live_edges > 0;
  const adds = isLive ? messages.trafficAdds : messages.usualTrafficAdds;
  const steps = route.legs.flatMap((leg) => leg.steps);
  return (
    <div class="result">
      <p class="headline">
        <strong>{durationText(seconds)}</strong>
        <span>{messages.remaining(distanceText(metresOf(route), units), arrival)}</span>
      </p>
      {leaves !== null && <p>{messages.leaveAt(leaves)}</p>}
      <Warnings texts={route.warnings} />
      {children}
      <p class="muted">
        {slower >= 60 ? `${adds(durationText(slower))} ` : ''}
        {answer.routes.length < 2 && route.ranked_because}
      </p>
      {isLive && (
        <p class="muted">{messages.liveSpeeds(evidence.live_edges, evidence.edges, evidence.metric_age_s)}</p>
      )}
      <Alternatives routes={answer.routes} chosen={chosen} />
      <details
        class="turns"
        open={open === 'steps'}
        onToggle={(event) => {
          const isOpen = event.currentTarget.open;
          if (isOpen !== (app.get().open === 'steps')) app.set({ open: isOpen ? 'steps' : null });
        }}
      >
        <summary>{messages.steps(steps.length)}</summary>
        <StepList steps={steps} />
      </details>
      <button type="button" class="link-button print-button" onClick={() => print()}>
        <Icon name="print" /> {messages.print}
      </button>
    </div>
  );
}
