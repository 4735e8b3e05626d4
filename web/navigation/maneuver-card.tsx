import type { NavLane, NavStep } from '#schemas/http/nav.js';
import { distanceText } from '../format/format.js';
import type { Guidance } from '../state/navigation-state.js';
import { usePart } from '../state/use-part.js';
import { Instruction } from '../steps/instruction.js';
import { plainInstruction } from '../steps/instructions.js';
import { ManeuverIcon } from '../steps/maneuver-icon.js';
import { turnWord } from '../steps/turn-word.js';
import { nextManeuver } from './guidance.js';
import * as messages from './messages.js';

/** OSRM's word of a lane as the word of a maneuver. */
function laneWord(indication: string | undefined): string {
  if (indication === undefined || indication === 'none' || indication === 'straight') return 'straight';
  return indication === 'uturn' ? 'uturn-left' : `turn-${indication.replace(' ', '-')}`;
}

function Lanes({ lanes }: { lanes: readonly NavLane[] }) {
  return (
    <ol class="lanes" aria-label={messages.lanes}>
      {lanes.map(({ indications, valid }, i) => (
        <li key={i} class={valid ? 'lane lane-valid' : 'lane'}>
          <span class="unseen">{messages.lane(i + 1, valid)}</span>
          <ManeuverIcon maneuver={laneWord(indications[0])} last={false} />
        </li>
      ))}
    </ol>
  );
}

function Then({ guidance, what, at }: { guidance: Guidance; what: NavStep | 'arrival'; at: number }) {
  const word = what === 'arrival' ? undefined : turnWord(what, guidance.steps[at]);
  return (
    <p class="maneuver-then">
      {messages.afterwards} <ManeuverIcon maneuver={word} last={what === 'arrival'} />
      <span>{what === 'arrival' ? messages.arrive : plainInstruction(what.html_instructions)}</span>
    </p>
  );
}

/** The next maneuver: its arrow, how far it is, the street, the lanes, and what follows soon after it. */
export function ManeuverCard({ lengthM }: { lengthM: number }) {
  const guidance = usePart((state) => state.guidance);
  const drivenM = usePart((state) => state.drivenM);
  const units = usePart((state) => state.units);
  if (guidance === null) return <p class="maneuver maneuver-loading">{messages.loadingSteps}</p>;
  const { at, step, inM, afterwards } = nextManeuver(guidance, drivenM, lengthM);
  const word = step === undefined ? undefined : turnWord(step, guidance.steps[at - 1]);
  return (
    <section class="maneuver" aria-label={messages.nextTurn}>
      <div class="maneuver-main">
        <ManeuverIcon maneuver={word} last={step === undefined} />
        <div class="maneuver-text">
          <strong data-testid="maneuver-distance">{distanceText(inM, units)}</strong>
          <p aria-live="polite">
            {step === undefined ? messages.arrive : <Instruction html={step.html_instructions} />}
          </p>
        </div>
      </div>
      {step?.lanes !== undefined && <Lanes lanes={step.lanes} />}
      {afterwards !== undefined && <Then guidance={guidance} what={afterwards} at={at} />}
    </section>
  );
}
