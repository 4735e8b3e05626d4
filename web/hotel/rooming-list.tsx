import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { getStaffReservation } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { guestAt } from './guest-at.js';
import { messages } from './staff-messages.js';
import { StayList } from './stay-list.js';
import { StayRow } from './stay-row.js';
import { useLoaded } from './use-loaded.js';

type Detail = Static<(typeof getStaffReservation)['responses'][200]['schema']>;

/** As many as the answer about a block has. */
const idsMax = 500;
const pageSize = 10;

interface RoomingListProps {
  /** Of reservations. */
  readonly ids: readonly string[];
  /** Names of room types by id. */
  readonly types: ReadonlyMap<string, string>;
}

/** Who has reserved with the code of a group, newest first. */
export function RoomingList({ ids, types }: RoomingListProps) {
  const [pages, setPages] = useState(1);
  const shown = ids.slice(0, pages * pageSize);
  const typeOf = (type: string) => types.get(type) ?? messages.someRoom;
  return (
    <StayList
      title={messages.pickUps(ids.length)}
      empty={messages.noPickUps}
      onMore={shown.length < ids.length ? () => setPages(pages + 1) : undefined}
      note={ids.length >= idsMax && <p class="muted">{messages.newestPickUps}</p>}
    >
      {shown.map((id) => (
        <PickUp key={id} id={id} typeOf={typeOf} />
      ))}
    </StayList>
  );
}

/** Loaded by itself, in two requests. */
function PickUp({ id, typeOf }: { readonly id: string; readonly typeOf: (type: string) => string }) {
  const path = `/v1/staff/reservations/${encodeURIComponent(id)}`;
  const [loaded] = useLoaded(path, async () => {
    const [{ reservation }, guest] = await Promise.all([askAs<Detail>('desk', path), guestAt(path)]);
    return { stay: reservation, guestName: guest?.name };
  });
  if (loaded.kind === 'there') {
    const { stay, guestName } = loaded.value;
    return <StayRow {...{ stay, guestName, typeOf }} rooms={stay.roomNumbers?.join(', ') ?? ''} />;
  }
  return (
    <li class="pick-up">
      <Shown state={loaded}>{() => null}</Shown>
    </li>
  );
}
