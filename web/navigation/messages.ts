import { text } from '../language/language.js';

/** Texts of a running navigation. The reasons of reroutes come from the server. */

export const navigation = text('Navigation', 'Navigering', 'Navigation');
export const connecting = text('Connecting…', 'Ansluter…', 'Verbinden…');
export const connectionLost = text(
  'Connection lost. Your route stays on screen. Reconnecting…',
  'Anslutningen bröts. Rutten är kvar på skärmen. Ansluter igen…',
  'Verbindung verloren. Ihre Route bleibt sichtbar. Neuer Versuch…',
);
export const offline = text(
  'You are offline. The last route goes on; closures and traffic are not updated.',
  'Du är offline. Den senaste rutten fortsätter; avstängningar och trafik uppdateras inte.',
  'Sie sind offline. Die letzte Route gilt weiter; Sperrungen und Verkehr werden nicht aktualisiert.',
);
export const remaining = (distance: string, arrival: string) =>
  text(
    `${distance} · arrive ${arrival}`,
    `${distance} · framme ${arrival}`,
    `${distance} · Ankunft ${arrival}`,
  );
export const progress = text('Share of the route completed', 'Avklarad del av rutten', 'Zurückgelegter Teil');
export const arrived = text('You have arrived', 'Du är framme', 'Sie sind angekommen');
export const drove = (distance: string) =>
  text(`${distance} driven.`, `${distance} kört.`, `${distance} gefahren.`);
export const done = text('Done', 'Klar', 'Fertig');
export const unreachable = (reason: string) =>
  text(
    `${reason} You will get a route as soon as one is available.`,
    `${reason} Du får en rutt så snart det finns en.`,
    `${reason} Sie bekommen eine Route, sobald es eine gibt.`,
  );
const times = (many: number) =>
  text(
    many === 1 ? 'once' : `${many} times`,
    many === 1 ? 'en gång' : `${many} gånger`,
    many === 1 ? 'einmal' : `${many}-mal`,
  );
export const rerouted = (many: number, lastMs: number, reason: string) =>
  text(
    `Rerouted ${times(many)}, last in ${lastMs} ms: ${reason}`,
    `Omdirigerad ${times(many)}, senast på ${lastMs} ms: ${reason}`,
    `Neue Route ${times(many)}, zuletzt in ${lastMs} ms: ${reason}`,
  );
export const end = text('End', 'Avsluta', 'Beenden');
export const follow = text('Follow', 'Följ', 'Folgen');
export const mute = text('Mute', 'Tyst', 'Stumm');
export const unmute = text('Voice', 'Röst', 'Stimme');
export const soundDenied = text(
  'The browser does not allow sound. The instructions are on the screen.',
  'Webbläsaren tillåter inget ljud. Anvisningarna syns på skärmen.',
  'Der Browser erlaubt keinen Ton. Die Anweisungen stehen auf dem Bildschirm.',
);
export const soundFailed = text(
  'The instructions could not be spoken. They are on the screen.',
  'Anvisningarna kunde inte läsas upp. De syns på skärmen.',
  'Die Anweisungen konnten nicht gesprochen werden. Sie stehen auf dem Bildschirm.',
);
export const speed = text('Speed', 'Hastighet', 'Geschwindigkeit');
export const nextStop = (many: number) =>
  text(
    `${many} more ${many === 1 ? 'stop' : 'stops'} after this one.`,
    `${many} stopp till efter detta.`,
    `Danach noch ${many} ${many === 1 ? 'Halt' : 'Halte'}.`,
  );

// The next maneuver.
export const nextTurn = text('Next maneuver', 'Nästa manöver', 'Nächstes Manöver');
export const loadingSteps = text('Loading the steps…', 'Hämtar anvisningar…', 'Anweisungen werden geladen…');
export const arrive = text('Arrive at your destination', 'Framme vid målet', 'Ankunft am Ziel');
export const afterwards = text('Then', 'Sedan', 'Danach');
export const lanes = text('Lanes', 'Körfält', 'Fahrspuren');
export const lane = (number: number, valid: boolean) =>
  text(
    `Lane ${number}: ${valid ? 'use it' : 'not yours'}`,
    `Körfält ${number}: ${valid ? 'använd' : 'inte ditt'}`,
    `Spur ${number}: ${valid ? 'benutzen' : 'nicht benutzen'}`,
  );
export const allSteps = (many: number) =>
  text(`${many} steps to go`, `${many} steg kvar`, `Noch ${many} Schritte`);

// Spoken.
export const inDistance = (distance: string) => text(`In ${distance}:`, `Om ${distance}:`, `In ${distance}:`);
export const thenDo = (instruction: string) =>
  text(`Then ${instruction}.`, `Sedan ${instruction}.`, `Danach ${instruction}.`);
export const thenArrive = text('Then you arrive.', 'Sedan är du framme.', 'Danach sind Sie am Ziel.');
export const arriveSoon = text('You arrive', 'Du är framme', 'Sie erreichen Ihr Ziel');
export const newRoute = (reason: string) =>
  text(`New route. ${reason}.`, `Ny rutt. ${reason}.`, `Neue Route. ${reason}.`);

// The banner of a reroute.
export const detour = (reason: string) =>
  text(`${reason}: rerouted`, `${reason}: omdirigerad`, `${reason}: neue Route`);
export const fasterRoute = (saved: string) =>
  text(`Faster route, saves ${saved}`, `Snabbare rutt, sparar ${saved}`, `Schnellere Route, spart ${saved}`);
export const betterRoute = text('Better route', 'Bättre rutt', 'Bessere Route');
export const causeToYou = (ms: number) =>
  text(`${ms} ms from cause to you`, `${ms} ms från orsak till dig`, `${ms} ms von der Ursache zu Ihnen`);
export const dismiss = text('Dismiss', 'Stäng', 'Schließen');
