import type { ComponentChildren } from 'preact';
import type { PlanRoom, RoomPlanView } from '#schemas/http/hotel-desk.js';
import { Night } from '../nights-table.js';
import { messages as staffMessages } from '../staff-messages.js';
import { Wide } from '../wide.js';
import { type Bar, barsOf, closedIn, datesOf, linesOf, spanOf } from './bars.js';
import { dropOf, homeOf, isSameRow, nightsHeld, type Row } from './drop.js';
import { Ghost, PlanBar, placeOf } from './plan-bar.js';
import { messages } from './plan-messages.js';
import { nameOf } from './plan-texts.js';
import type { Drags } from './use-drag.js';
import type { Moves } from './use-moves.js';

interface PlanTableProps {
  readonly plan: RoomPlanView;
  readonly typeOf: (roomTypeId: string) => string;
  readonly moves: Moves;
  readonly drags: Drags;
  readonly onType: (roomTypeId: string) => void;
}

/** Rooms by night. The rooms of one type are drawn, of the others only their headings. */
export function PlanTable(props: PlanTableProps) {
  const { plan, typeOf, moves, onType } = props;
  const dates = datesOf(plan);
  return (
    <Wide label={staffMessages.roomPlan}>
      <table class="plan" style={{ '--nights': dates.length }}>
        <thead>
          <tr>
            <th scope="col">{messages.room}</th>
            {dates.map((date) => (
              <th
                key={date}
                scope="col"
                {...(date === plan.today ? { 'aria-current': 'date' as const } : {})}
              >
                <Night date={date} />
                {date === plan.today && <span class="unseen"> {messages.today}</span>}
              </th>
            ))}
          </tr>
        </thead>
        {plan.types.map(({ roomTypeID, rooms, unassigned }) => {
          const isOpen = roomTypeID === plan.roomTypeID;
          const row: Row = { kind: 'type', roomTypeID };
          const isTarget = moves.move !== null && isSameRow(moves.move.held.row, row);
          const choose = () => {
            const held = moves.now.current?.kind === 'held' ? moves.now.current.held : undefined;
            if (held === undefined) onType(roomTypeID);
            else if (!isOpen) moves.hold({ ...held, row });
          };
          return (
            <tbody key={roomTypeID}>
              <tr {...(isOpen ? {} : { 'data-row': JSON.stringify(row) })}>
                <th scope="rowgroup" colSpan={dates.length + 1} class={isTarget ? 'plan-target' : ''}>
                  <button type="button" class="plan-type" aria-expanded={isOpen} onClick={choose}>
                    <strong>{typeOf(roomTypeID)}</strong>{' '}
                    <span class="muted">{messages.typeSummary(rooms, unassigned)}</span>
                  </button>
                </th>
              </tr>
              {isOpen && <OpenType {...props} unassigned={unassigned} />}
            </tbody>
          );
        })}
      </table>
    </Wide>
  );
}

function OpenType(props: PlanTableProps & { readonly unassigned: number }) {
  const { plan, unassigned } = props;
  const lines = linesOf(plan);
  return (
    <>
      <PlanRow
        {...props}
        row={{ kind: 'lane' }}
        title={messages.withoutRoom}
        place={messages.withoutRoom}
        lines={lines}
      >
        {lines.length === 0 && <span class="muted plan-none">{messages.noneWithoutRoom}</span>}
        {unassigned > plan.unassigned.length && (
          <span class="muted plan-none">{messages.firstOf(plan.unassigned.length, unassigned)}</span>
        )}
      </PlanRow>
      {plan.rooms.map((room) => (
        <PlanRow
          key={room.roomID}
          {...props}
          row={homeOf(room.roomID)}
          title={room.number}
          place={messages.inRoom(room.number)}
          note={roomNote(room)}
          lines={[barsOf(plan, room)]}
        >
          {closedIn(plan, room).map((span) => (
            <span key={span.at} class="plan-closed" style={placeOf(span, 0)}>
              {messages.outOfOrder}
            </span>
          ))}
        </PlanRow>
      ))}
    </>
  );
}

const roomNote = ({ status }: PlanRoom): string =>
  status === 'dirty' || status === 'out_of_order' ? staffMessages.roomStatus[status] : '';

interface PlanRowProps extends PlanTableProps {
  readonly row: Row;
  readonly title: string;
  readonly place: string;
  readonly note?: string;
  readonly lines: readonly (readonly Bar[])[];
  readonly children: ComponentChildren;
}

function PlanRow({ plan, moves, drags, row, title, place, note = '', lines, children }: PlanRowProps) {
  const held = moves.move?.held;
  const isTarget = held !== undefined && isSameRow(held.row, row);
  const nights = datesOf(plan);
  const isToday = spanOf({ from: plan.today, to: plan.today }, plan);
  const choose = () => {
    if (moves.now.current?.kind !== 'held') return;
    const { held: chosen } = moves.now.current;
    if (row.kind === 'room' || chosen.roomID === null) moves.hold({ ...chosen, row });
  };
  return (
    <tr data-row={JSON.stringify(row)} class={isTarget ? 'plan-target' : ''}>
      <th scope="row">
        {title} {note !== '' && <small>{note}</small>}
      </th>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard the arrows choose the row. */}
      <td colSpan={nights.length} onClick={choose}>
        <div class="plan-track" data-nights={nights.length} style={{ '--lines': Math.max(lines.length, 1) }}>
          {isToday !== undefined && <span class="plan-today" style={placeOf(isToday, 0)} />}
          {children}
          {lines.flatMap((bars, line) =>
            bars.map((bar) => {
              const { reservationID } = bar.stay;
              const isHeld = held?.stay.reservationID === reservationID && held.roomID === bar.roomID;
              const isFocused = moves.focused === reservationID && held === undefined;
              return <PlanBar key={reservationID} {...{ bar, place, line, isHeld, isFocused, drags }} />;
            }),
          )}
          {isTarget && <HeldGhost plan={plan} moves={moves} />}
        </div>
      </td>
    </tr>
  );
}

function HeldGhost({ plan, moves }: { readonly plan: RoomPlanView; readonly moves: Moves }) {
  const move = moves.move!;
  const { held } = move;
  const drop = dropOf(plan, held);
  const span = spanOf(nightsHeld(held), plan);
  if (span === undefined || drop.kind === 'home') return null;
  return (
    <Ghost name={nameOf(held.stay)} span={span} isRefused={drop.kind === 'refused'} follows={!move.dragged} />
  );
}
