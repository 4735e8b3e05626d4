import type { GroupBlockView } from '#schemas/http/hotel-blocks.js';
import * as messages from './staff-messages.js';
import { dayText } from './texts.js';

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
      <div class="scroll">
        <table class="table block-nights">
          <caption class="unseen">{messages.nightsLegend}</caption>
          <thead>
            <tr>
              <th scope="col">{messages.roomType}</th>
              {dates.map((date) => (
                <th key={date} scope="col">
                  {dayText(date)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ids.map((id) => (
              <tr key={id}>
                <th scope="row">{types.get(id) ?? id}</th>
                {dates.map((date) => (
                  <Cell key={date} night={at.get(`${id} ${date}`)} />
                ))}
              </tr>
            ))}
          </tbody>
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
        </table>
      </div>
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
