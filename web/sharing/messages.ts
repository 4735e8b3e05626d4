import { text } from '../language/language.js';

/** Texts of location sharing. */

export const title = text('Share your location', 'Dela din plats', 'Standort teilen');
export const terms = text(
  'Your browser sends your position to this server in batches, as often as the server asks. Positions ' +
    'improve road speeds and closures for everyone. Nobody else can see where you are. ' +
    'You can stop at any time.',
  'Webbläsaren skickar din position hit i omgångar, så ofta som servern ber om det. Positionerna ger alla ' +
    'bättre hastigheter och avstängningar. Ingen annan ser var du är. Du kan sluta när som helst.',
  'Ihr Browser sendet Ihre Position in Paketen hierher, so oft der Server darum bittet. Sie verbessert ' +
    'Tempo und Sperrungen für alle. Niemand sonst sieht, wo Sie sind. Sie können jederzeit aufhören.',
);
export const agree = text('I agree', 'Jag godkänner', 'Ich stimme zu');
export const start = text('Start sharing', 'Börja dela', 'Teilen');
export const stop = text('Stop sharing', 'Sluta dela', 'Nicht mehr teilen');
export const sent = (positions: number) =>
  text(
    `${positions} ${positions === 1 ? 'position' : 'positions'} sent.`,
    `${positions} ${positions === 1 ? 'position skickad' : 'positioner skickade'}.`,
    `${positions} ${positions === 1 ? 'Position' : 'Positionen'} gesendet.`,
  );
export const interval = (seconds: number) =>
  text(
    `The server asks for a batch every ${seconds} s.`,
    `Servern ber om en omgång var ${seconds} s.`,
    `Der Server bittet alle ${seconds} s um ein Paket.`,
  );
export const refused = (reason: string) =>
  text(
    `The server rejected the positions: ${reason}`,
    `Servern tog inte emot positionerna: ${reason}`,
    `Der Server hat die Positionen abgelehnt: ${reason}`,
  );
export const unsupported = text(
  'This browser does not support location.',
  'Webbläsaren kan inte ge din plats.',
  'Dieser Browser kennt keinen Standort.',
);
export const noPosition = text(
  'No position found yet.',
  'Ingen position hittad ännu.',
  'Noch keine Position gefunden.',
);
export const denied = text(
  'Location access is denied. Allow it in the browser settings to share your location.',
  'Platsen är spärrad. Tillåt den i webbläsarens inställningar för att dela din plats.',
  'Der Standort ist gesperrt. Erlauben Sie ihn in den Einstellungen des Browsers, um ihn zu teilen.',
);
