import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { getStaffReservation } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { guestAt } from './guest-at.js';
import { messages as guestMessages } from './messages.js';
import * as messages from './staff-messages.js';
import { stayDates } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

type Detail = Static<(typeof getStaffReservation)['responses'][200]['schema']>;

/** Names of room types by id. */
type TypeNames = ReadonlyMap<string, string>;

/** As many as the answer about a block has. */
const idsMax = 500;
/** Each is two requests. */
const pageSize = 10;

/** Who has reserved with the code of a group, newest first, a few at a time. */
export function RoomingList({ ids, types }: { readonly ids: readonly string[]; readonly types: TypeNames }) {
  const [pages, setPages] = useState(1);
  const shown = ids.slice(0, pages * pageSize);
  return (
    <section class="card">
      <h3>{messages.pickUps(ids.length)}</h3>
      {ids.length === 0 && <p class="muted">{messages.noPickUps}</p>}
      <ul class="pick-ups">
        {shown.map((id) => (
          <PickUp key={id} id={id} types={types} />
        ))}
      </ul>
      {shown.length < ids.length && (
        <div>
          <button type="button" class="link-button" onClick={() => setPages(pages + 1)}>
            {messages.showMore}
          </button>
        </div>
      )}
      {ids.length >= idsMax && <p class="muted">{messages.newestPickUps}</p>}
    </section>
  );
}

function PickUp({ id, types }: { readonly id: string; readonly types: TypeNames }) {
  const path = `/v1/staff/reservations/${encodeURIComponent(id)}`;
  const [loaded] = useLoaded(path, async () => {
    const [{ reservation }, guest] = await Promise.all([askAs<Detail>('desk', path), guestAt(path)]);
    return { reservation, name: guest?.name };
  });
  return (
    <li class="pick-up">
      <Shown state={loaded}>
        {({ reservation: { startDate, endDate, roomCount, roomTypeID, status }, name }) => (
          <>
            <a href={addressOf('reservations', id)}>
              <bdi>{name ?? messages.noName}</bdi>
            </a>
            <span>{stayDates({ startDate, endDate })}</span>
            <span class="muted">
              {roomCount} × {types.get(roomTypeID) ?? roomTypeID}
            </span>
            <span class={`status status-${status}`}>{guestMessages.reservationStatus[status]}</span>
          </>
        )}
      </Shown>
    </li>
  );
}
