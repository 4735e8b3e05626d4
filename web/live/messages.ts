import { text } from '../language/language.js';

/** Texts of the live figures. */

export const figures = text('Live figures', 'Aktuella siffror', 'Aktuelle Zahlen');
export const pointsPerSecond = text('Points per second', 'Punkter per sekund', 'Punkte je Sekunde');
export const drivers = text('Drivers', 'Förare', 'Fahrer');
export const navigations = text('Navigations', 'Navigeringar', 'Navigationen');
export const reroutes = text('Reroutes', 'Omdirigeringar', 'Neue Routen');
export const metricVersion = text('Metric version', 'Metrikversion', 'Metrikversion');
export const causeToPush = text('Cause to push', 'Orsak till sändning', 'Ursache bis Versand');
export const milliseconds = 'ms';
export const noDemoTokens = text(
  'This server does not issue demo tokens. Sign in as an operator to see drivers and to close roads.',
  'Servern ger inga demobehörigheter. Logga in som operatör för att se förare och stänga vägar.',
  'Dieser Server erteilt keine Vorführberechtigungen. Melden Sie sich als Betreiber an, um Fahrer zu sehen ' +
    'und Straßen zu sperren.',
);
