import { durationText } from './passage-rate.js';

/** What was observed of a closed road. */
export interface ClosureFacts {
  /** Guided drivers who turned away, and how long after the first the last one did, milliseconds. */
  readonly turned: number;
  readonly turnedMs?: number;
  /** Drivers who passed among them. */
  readonly passed: number;
  /** Drivers turned away in the other direction of the road, too. */
  readonly isClosedOpposite: boolean;
  readonly silence?: string;
  /** Users who reported it closed. */
  readonly reporters: number;
}

/** The evidence of an incident, for people. */
export function closureText(facts: ClosureFacts): string {
  const { turned, turnedMs = 0, passed, isClosedOpposite, silence, reporters } = facts;
  const texts: string[] = [];
  if (turned > 0) {
    const one = turned === 1 ? 'driver' : 'drivers';
    const who =
      passed === 0
        ? `${turned} of ${turned} guided ${one} turned away`
        : `${turned} guided ${one} turned away and ${passed} passed`;
    texts.push(`${who} in ${durationText(turnedMs)}`);
    if (isClosedOpposite) texts.push('drivers turned away in the other direction, too');
  }
  if (silence !== undefined) texts.push(silence);
  if (reporters > 0) texts.push(`${reporters} ${reporters === 1 ? 'user' : 'users'} reported it closed`);
  return texts.join(', and ');
}
