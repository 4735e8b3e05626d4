import { render } from 'preact';
import '../style/tokens.css';
import '../style/panel.css';
import './stay.css';
import './staff.css';
import { setProblemTexts } from '../http/ask.js';
import { language } from '../language/language.js';
import { Frame } from './frame.js';
import { GroupsPage, PlanPage, RatesPage, RoomsPage } from './later-pages.js';
import { messages as guestMessages } from './messages.js';
import { StaffActions } from './staff-actions.js';
import { StaffCalendar } from './staff-calendar.js';
import { messages } from './staff-messages.js';
import { StaffRefunds } from './staff-refunds.js';
import { StaffReservation } from './staff-reservation.js';
import { StaffSearch } from './staff-search.js';
import { StaffToday } from './staff-today.js';
import { addressOf, useAddress } from './use-address.js';

const links = [
  [messages.todayTitle, addressOf('today')],
  [messages.roomPlan, addressOf('plan')],
  [messages.calendar, addressOf('calendar')],
  [messages.reservations, addressOf('reservations')],
  [messages.housekeeping, addressOf('housekeeping')],
  [messages.groups, addressOf('groups')],
  [messages.refunds, addressOf('refunds')],
  [messages.rates, addressOf('rates')],
  [messages.auditLog, addressOf('actions')],
] as const;

function Staff() {
  const [named = 'today', ...parts] = useAddress();
  const [id] = parts;
  // Of an address that is none, today.
  const place = links.some(([, address]) => address === addressOf(named)) ? named : 'today';
  return (
    <Frame brand={messages.brand} links={links} here={addressOf(place)}>
      {place === 'reservations' && id !== undefined ? (
        <StaffReservation key={id} reservationId={id} />
      ) : place === 'reservations' ? (
        <StaffSearch />
      ) : place === 'housekeeping' ? (
        <RoomsPage hotelId={id ?? ''} />
      ) : place === 'groups' ? (
        <GroupsPage parts={parts} />
      ) : place === 'refunds' ? (
        <StaffRefunds />
      ) : place === 'rates' ? (
        <RatesPage />
      ) : place === 'actions' ? (
        <StaffActions key={id ?? ''} {...(id === undefined ? {} : { subject: id })} />
      ) : place === 'plan' ? (
        <PlanPage key={parts.join(' ')} parts={parts} />
      ) : place === 'calendar' ? (
        <StaffCalendar key={parts.join(' ')} chosen={id ?? ''} day={parts[1] ?? ''} />
      ) : (
        <StaffToday key={id ?? ''} chosen={id ?? ''} />
      )}
    </Frame>
  );
}

document.documentElement.lang = language;
document.title = `Meridian ${messages.brand}`;
setProblemTexts({ ...guestMessages.problems, ...messages.problems });
render(<Staff />, document.getElementById('page') as HTMLElement);
