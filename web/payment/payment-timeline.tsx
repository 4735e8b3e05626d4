import type { TimelineEntryBody } from '#schemas/http/finance-payments.js';
import { timeText } from '../hotel/texts.js';
import { messages } from './finance-messages.js';
import { movedText } from './moved-text.js';

/** What happened to a payment, oldest first: when, what, who and why. */
export function PaymentTimeline({ entries }: { readonly entries: readonly TimelineEntryBody[] }) {
  return (
    <ol class="timeline">
      {entries.map((entry, index) => (
        <li key={index} class={toneOf(entry)}>
          <time dateTime={entry.at}>{timeText(entry.at)}</time>
          <p>
            <strong>{titleOf(entry)}</strong> {movedText(entry)}
          </p>
          {noteOf(entry) !== '' && <p class="muted">{noteOf(entry)}</p>}
        </li>
      ))}
    </ol>
  );
}

const bad: ReadonlySet<string> = new Set(['FAILED', 'LOST', 'block', 'denied']);
const good: ReadonlySet<string> = new Set(['SUCCESS', 'WON', 'approved']);
const asked: ReadonlySet<string> = new Set([
  'dispute_opened',
  'dispute_missed',
  'mismatch_found',
  'given_up',
]);

function toneOf({ kind, state }: TimelineEntryBody): string {
  if (bad.has(state ?? '') || asked.has(kind)) return 'bad-event';
  return good.has(state ?? '') ? 'good-event' : '';
}

/** A posting and a mismatch say what kind they are, everything else what it became. */
function titleOf({ kind, state, detail }: TimelineEntryBody): string {
  const title = messages.events[kind];
  if (kind === 'posted' || kind === 'mismatch_found') return `${title}: ${messages.words(detail ?? '')}`;
  if (state === null || kind === 'mismatch_approved') return title;
  return `${title}: ${messages.states[state] ?? messages.words(state.toLowerCase())}`;
}

/** Words of a person are quoted, codes become words. */
function noteOf({ kind, detail, who }: TimelineEntryBody): string {
  const isOfPerson = quotedKinds.has(kind);
  const isInTitle = kind === 'posted' || kind === 'mismatch_found' || kind === 'webhook_received';
  const text =
    detail === null || isInTitle ? '' : isOfPerson ? messages.quoted(detail) : messages.words(detail);
  const person =
    who === null ? '' : messages.by(messages.parts[who] ?? messages.parts[who.split(' ')[0]!] ?? who);
  return [person, text].filter((part) => part !== '').join(' · ');
}

const quotedKinds: ReadonlySet<string> = new Set([
  'refund_requested',
  'refund_reviewed',
  'mismatch_decided',
  'dispute_answered',
]);
