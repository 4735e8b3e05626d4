import { useEffect, useRef } from 'preact/hooks';
import type { RoomPlanView } from '#schemas/http/hotel-desk.js';
import { Shown } from '../frame.js';
import { messages as guestMessages } from '../messages.js';
import { quoteText } from '../texts.js';
import { addressOf } from '../use-address.js';
import { useLoaded } from '../use-loaded.js';
import type { Held } from './drop.js';
import { messages } from './plan-messages.js';
import { heldText, nameOf } from './plan-texts.js';
import { type Change, quoteOf } from './send-drop.js';
import type { Moves } from './use-moves.js';

interface HeldStayProps {
  readonly plan: RoomPlanView;
  readonly typeOf: (roomTypeId: string) => string;
  readonly moves: Moves;
}

/** At the foot of the page: the stay that was picked up, and the same steps as by drag and by keys. */
export function HeldStay({ plan, typeOf, moves }: HeldStayProps) {
  const { move, step, drop, putBack } = moves;
  if (move === null) return null;
  const { held } = move;
  return (
    <section
      class={`card deeds plan-held${move.dragged ? ' plan-dragged' : ''}`}
      aria-label={nameOf(held.stay)}
    >
      <div class="deeds-row">
        <p>
          <strong>
            <bdi>{nameOf(held.stay)}</bdi>
          </strong>{' '}
          <span class="muted">{guestMessages.reservationStatus[held.stay.status]}</span>
        </p>
        <a href={addressOf('reservations', held.stay.reservationID)}>{messages.openReservation}</a>
      </div>
      {/* The same is read aloud from the live region. */}
      <p>{heldText(plan, held, typeOf)}</p>
      {move.dragged ? null : move.kind === 'asked' ? (
        <Confirm held={held} drop={move.drop} moves={moves} />
      ) : (
        <div class="button-row wrap" aria-busy={move.kind === 'sent'}>
          <button type="button" class="main-button quiet" onClick={() => step(0, -1)}>
            {messages.earlier}
          </button>
          <button type="button" class="main-button quiet" onClick={() => step(0, 1)}>
            {messages.later}
          </button>
          <button type="button" class="main-button quiet" onClick={putBack}>
            {messages.putBack}
          </button>
          <button type="button" class="main-button" onClick={drop}>
            {messages.dropHere}
          </button>
        </div>
      )}
    </section>
  );
}

interface ConfirmProps {
  readonly held: Held;
  readonly drop: Change;
  readonly moves: Moves;
}

/** What the change costs, before it is made. */
function Confirm({ held, drop, moves: { confirm, putBack } }: ConfirmProps) {
  const [quote] = useLoaded(JSON.stringify(drop.change), () => quoteOf(held, drop));
  const answer = useRef<HTMLButtonElement>(null);
  useEffect(() => answer.current?.focus(), [quote.kind]);
  return (
    <>
      <div role="status">
        <Shown state={quote}>{(known) => <p>{quoteText(known, messages)}</p>}</Shown>
      </div>
      <div class="button-row wrap">
        <button
          ref={quote.kind === 'there' ? null : answer}
          type="button"
          class="main-button quiet"
          onClick={putBack}
        >
          {messages.putBack}
        </button>
        {quote.kind === 'there' && (
          <button ref={answer} type="button" class="main-button" onClick={() => confirm(quote.value)}>
            {messages.confirm}
          </button>
        )}
      </div>
    </>
  );
}
