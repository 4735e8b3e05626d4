import { text } from '../language/language.js';

/** Texts about failed requests. A problem document of the server comes first. */

export const busy = text(
  'The server is busy. Try again in a moment.',
  'Servern är upptagen. Försök igen om en stund.',
  'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
);
export const status = (code: number) =>
  text(`The server returned status ${code}.`, `Servern svarade ${code}.`, `Der Server antwortete ${code}.`);
export const notResponding = text(
  'The server is not responding.',
  'Servern svarar inte.',
  'Der Server antwortet nicht.',
);
export const offline = text('You are offline.', 'Du är offline.', 'Sie sind offline.');
export const noSignIn = text(
  'People cannot sign in on this server.',
  'På den här servern kan man inte logga in.',
  'Auf diesem Server kann man sich nicht anmelden.',
);
