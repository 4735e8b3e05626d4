/** A stay for the guest's calendar. */
export interface CalendarStay {
  readonly bookingNumber: string;
  readonly reservationId: string;
  readonly hotelName: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  /** Check-in on the first day and check-out on the last. */
  readonly from: Date;
  readonly to: Date;
  readonly isCancelled: boolean;
  /** Rises with each change, so that a calendar replaces what it has. */
  readonly version: number;
  readonly changedAt: Date;
}

const octetsMax = 75;

/**
 * A calendar file (RFC 5545) of one event. Its times are in UTC, so no time zone has to be described; the
 * calendar shows them in the guest's own.
 */
export function calendarFile(stay: CalendarStay): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Meridian//Stays//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${stay.isCancelled ? 'CANCEL' : 'PUBLISH'}`,
    'BEGIN:VEVENT',
    `UID:${escaped(stay.reservationId)}@stays.meridian`,
    `DTSTAMP:${instant(stay.changedAt)}`,
    `DTSTART:${instant(stay.from)}`,
    `DTEND:${instant(stay.to)}`,
    `SEQUENCE:${stay.version}`,
    `STATUS:${stay.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `SUMMARY:${escaped(stay.hotelName)}`,
    `LOCATION:${escaped(stay.address)}`,
    `GEO:${stay.lat};${stay.lng}`,
    `DESCRIPTION:${escaped(`Booking number ${stay.bookingNumber}`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** `20261124T130000Z` */
const instant = (at: Date): string => at.toISOString().replaceAll(/[-:]|\.\d+/g, '');

const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|[\r\n]/g, '\\n')
    // Control characters have no place in a calendar.
    .replaceAll(/[\p{Cc}]/gu, ' ');

/** A line of more than 75 octets continues on the next one, after a space; no character is cut. */
function folded(line: string): string {
  let out = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > octetsMax) {
      out += '\r\n ';
      octets = 1;
    }
    out += character;
    octets += size;
  }
  return out;
}
