import type { ComponentChildren } from 'preact';
import type { NavAnswer } from '#schemas/http/nav.js';
import { arrivalText, durationText } from '../format/format.js';
import { Warnings } from '../ui/warnings.js';
import * as messages from './messages.js';
import { chooseRoute } from './plan-route.js';
import { StepList } from './step-list.js';

type Route = NavAnswer['routes'][number];

function secondsOf(route: Route): number {
  return route.legs.reduce((sum, leg) => sum + leg.duration_in_traffic.value, 0);
}

function Alternatives({ routes, chosen }: { routes: readonly Route[]; chosen: number }) {
  if (routes.length < 2) return null;
  return (
    <fieldset class="alternatives">
      <legend class="unseen">{messages.routes}</legend>
      {routes.map((route, i) => (
        <label key={i} class="alternative">
          <input type="radio" name="alternative" checked={i === chosen} onChange={() => chooseRoute(i)} />
          <span>
            <b>{durationText(secondsOf(route))}</b> {route.summary}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface RouteResultProps {
  readonly answer: NavAnswer;
  readonly chosen: number;
  /** Actions for the route, below the headline. */
  readonly children: ComponentChildren;
}

export function RouteResult({ answer, chosen, children }: RouteResultProps) {
  const route = answer.routes[chosen];
  const leg = route?.legs[0];
  if (route === undefined || leg === undefined) return null;
  const seconds = secondsOf(route);
  const slower = seconds - (leg.duration_free_flow?.value ?? seconds);
  const { evidence } = answer;
  return (
    <div class="result">
      <p class="headline">
        <strong>{durationText(seconds)}</strong>
        <span>{messages.remaining(leg.distance.text, arrivalText(seconds, new Date()))}</span>
      </p>
      <Warnings texts={route.warnings} />
      {children}
      <p class="muted">
        {slower >= 60 ? `${messages.trafficAdds(durationText(slower))} ` : ''}
        {route.ranked_because}
      </p>
      {evidence !== undefined && evidence.live_edges > 0 && (
        <p class="muted">{messages.liveSpeeds(evidence.live_edges, evidence.edges, evidence.metric_age_s)}</p>
      )}
      <Alternatives routes={answer.routes} chosen={chosen} />
      <details class="turns">
        <summary>{messages.steps(leg.steps.length)}</summary>
        <StepList steps={leg.steps} />
      </details>
    </div>
  );
}
