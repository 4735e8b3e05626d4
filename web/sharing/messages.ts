import { text } from '../language/language.js';

/** Texts of location sharing. */

export const title = text('Share your location', 'Dela din plats', 'Standort teilen');
export const terms =
  'Your browser sends your position to this server in batches, as often as the server asks. Positions ' +
  'improve road speeds and closures for everyone. Nobody else can see where you are. ' +
  'You can stop at any time.';
export const agree = text('I agree', 'Jag godkänner', 'Ich stimme zu');
export const start = text('Start sharing', 'Börja dela', 'Teilen');
export const stop = text('Stop sharing', 'Sluta dela', 'Nicht mehr teilen');
export const sent = (positions: number) => `${positions} ${positions === 1 ? 'position' : 'positions'} sent.`;
export const interval = (seconds: number) => `The server asks for a batch every ${seconds} s.`;
export const refused = (reason: string) => `The server rejected the positions: ${reason}`;
export const unsupported = 'This browser does not support location.';
export const noPosition = 'No position found yet.';
export const denied = 'Location access is denied. Allow it in the browser settings to share your location.';
