import type { GroupBlockView } from '#schemas/http/hotel-blocks.js';
import { NightsTable } from './nights-table.js';
import { messages } from './staff-messages.js';

type Night = Pick<GroupBlockView['nights'][number], 'held' | 'pickedUp'>;

/** By room type and night: picked up of held, and what is left for the group. */
export function BlockNights({
  nights,
  types,
}: {
  readonly nights: GroupBlockView['nights'];
  /** Names by id. */
  readonly types: ReadonlyMap<string, string>;
}) {
  const dates = [...new Set(nights.map(({ date }) => date))].toSorted();
  const ids = [...new Set(nights.map(({ roomTypeID }) => roomTypeID))];
  const at = new Map(nights.map((night) => [`${night.roomTypeID} ${night.date}`, night]));
  const sumOf = (date: string): Night => {
    const all = nights.filter((night) => night.date === date);
    return {
      held: all.reduce((sum, { held }) => sum + held, 0),
      pickedUp: all.reduce((sum, { pickedUp }) => sum + pickedUp, 0),
    };
  };
  return (
    <>
      <p class="muted" aria-hidden="true">
        {messages.nightsLegend}
      </p>
      <NightsTable
        class="block-nights"
        caption={messages.nightsLegend}
        types={ids.map((id) => [id, types.get(id) ?? id])}
        dates={dates}
        cell={(id, date) => <Cell key={date} night={at.get(`${id} ${date}`)} />}
      >
        {ids.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row">{messages.allRoomTypes}</th>
              {dates.map((date) => (
                <Cell key={date} night={sumOf(date)} />
              ))}
            </tr>
          </tfoot>
        )}
      </NightsTable>
    </>
  );
}

function Cell({ night }: { readonly night: Night | undefined }) {
  if (night === undefined) return <td>–</td>;
  const { held: left, pickedUp } = night;
  return (
    <td>
      <strong>
        {pickedUp}/{pickedUp + left}
      </strong>
      <span class="muted">{messages.left(left)}</span>
    </td>
  );
}
