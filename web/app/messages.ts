import { text } from '../language/language.js';

/** Texts of the frame of the map page: title, server state, panel, notices. */

export const brand = 'Meridian';
export const title = (city: string) => `Meridian · ${city}`;
export const server = {
  connecting: text('connecting', 'ansluter', 'verbindet'),
  answers: text('live', 'live', 'live'),
  busy: text('busy, retrying', 'upptagen, försöker igen', 'ausgelastet, neuer Versuch'),
  silent: text('not responding, retrying', 'svarar inte, försöker igen', 'antwortet nicht, neuer Versuch'),
  offline: text('offline', 'offline', 'offline'),
} as const;
export const offline = text(
  'You are offline. The map shows what was loaded; new routes need a network.',
  'Du är offline. Kartan visar det som är hämtat; nya rutter kräver nätverk.',
  'Sie sind offline. Die Karte zeigt, was geladen ist; neue Routen brauchen ein Netz.',
);
export const roads = text('Traffic and closures', 'Trafik och avstängningar', 'Verkehr und Sperrungen');
export const collapsePanel = text('Collapse the panel', 'Fäll ihop panelen', 'Bereich einklappen');
export const expandPanel = text('Expand the panel', 'Fäll ut panelen', 'Bereich ausklappen');
export const dismiss = text('Dismiss', 'Stäng', 'Schließen');
export const mapSource = '© OpenStreetMap contributors';
export const account = text('Account', 'Konto', 'Konto');
