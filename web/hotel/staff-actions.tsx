import type { Static } from 'typebox';
import { automatic, hotelActions } from '#schemas/hotel-actions.js';
import type { listStaffActions } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { useHotelNames } from './hotel-names.js';
import { messages } from './staff-messages.js';
import { timeText } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';
import { Wide } from './wide.js';

type Actions = Static<(typeof listStaffActions)['responses'][200]['schema']>;
const ofHotels: ReadonlySet<string> = new Set(hotelActions);
const path: (typeof listStaffActions)['path'] = '/v1/staff/actions';

function HotelName({ hotelId }: { readonly hotelId: string }) {
  return <>{useHotelNames(hotelId).hotel}</>;
}

/** The audit log, newest first; only of one reservation or hotel if `subject` is given. */
export function StaffActions({ subject }: { readonly subject?: string }) {
  const query = new URLSearchParams({ limit: '100', ...(subject === undefined ? {} : { subject }) });
  const [actions] = useLoaded(`${query}`, () => askAs<Actions>('desk', `${path}?${query}`));
  return (
    <section>
      <h2>{messages.auditLog}</h2>
      <Shown state={actions}>
        {(found) => (
          <Wide label={messages.auditLog}>
            <table class="table">
              <thead>
                <tr>
                  {messages.auditColumns.map((title) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.actions.map(({ actionID, at, staffID, action, subject: about, reason, outcome }) => (
                  <tr key={actionID}>
                    <td>{timeText(at)}</td>
                    <td>{staffID === automatic ? messages.automatic : staffID}</td>
                    <td>{messages.action(action)}</td>
                    <td>
                      {ofHotels.has(action) ? (
                        <HotelName hotelId={about} />
                      ) : (
                        <a href={addressOf('reservations', about)}>{messages.theReservation}</a>
                      )}
                    </td>
                    <td>{messages.givenReason(reason)}</td>
                    <td>{outcome === null ? messages.inProgress : messages.outcome(outcome)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {found.actions.length === 0 && <p class="muted">{messages.noActions}</p>}
          </Wide>
        )}
      </Shown>
    </section>
  );
}
