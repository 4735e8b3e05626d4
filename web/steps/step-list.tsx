import type { NavStep } from '#schemas/http/nav.js';
import { measure, placeAlong } from '../geometry/line.js';
import { decodePolyline } from '../geometry/polyline.js';
import { app } from '../state/state.js';
import { Icon } from '../ui/icon.js';
import { Instruction } from './instruction.js';
import { ManeuverIcon } from './maneuver-icon.js';
import * as messages from './messages.js';
import { turnWord } from './turn-word.js';

function pickStep(step: NavStep): void {
  const line = measure(decodePolyline(step.polyline.points));
  if (line.points.length < 2) return;
  const { at } = placeAlong(line, line.lengthM / 2);
  const name = /<b>([^<]+)<\/b>(?!.*<b>)/.exec(step.html_instructions)?.[1] ?? '';
  app.set({ tool: 'close', picked: { name, at: { lat: at[1], lng: at[0] }, line: line.points } });
}

interface StepListProps {
  readonly steps: readonly NavStep[];
  /** The step before the first of the list. */
  readonly before?: NavStep | undefined;
}

/** The turns of a route. Each road can be closed from here without the map. */
export function StepList({ steps, before }: StepListProps) {
  return (
    <ol class="steps">
      {steps.map((step, i) => {
        const last = i === steps.length - 1;
        return (
          <li key={i} class="step">
            <ManeuverIcon maneuver={turnWord(step, i === 0 ? before : steps[i - 1])} last={last} />
            <div class="step-text">
              <Instruction html={step.html_instructions} />
              {!last && <span class="step-distance">{step.distance.text}</span>}
            </div>
            {!last && (
              <button
                type="button"
                class="icon-button step-close"
                aria-label={messages.closeStep(i + 1)}
                title={messages.closeThisRoad}
                onClick={() => pickStep(step)}
              >
                <Icon name="barrier" />
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
