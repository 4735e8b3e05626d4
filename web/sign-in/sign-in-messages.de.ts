export const signIn = 'Anmelden';
export const signInAgain = 'Erneut anmelden';
export const signOut = 'Abmelden';
export const signedIn = 'Angemeldet';
export const signedInAs = (name: string) => `Angemeldet als ${name}`;
export const purposes = {
  map:
    'Melden Sie sich an, um zu navigieren und Ihren Standort zu teilen. Betreiber sehen auch Fahrer und ' +
    'sperren Straßen.',
  stay: 'Melden Sie sich an, um Zimmer zu buchen und Ihre Buchungen und gespeicherten Karten zu sehen.',
  payment: 'Melden Sie sich an, um zu bezahlen.',
  staff: 'Der Empfang ist für das Hotelpersonal. Melden Sie sich mit Ihrem Arbeitskonto an.',
  finance: 'Diese Seite ist für die Finanzabteilung. Melden Sie sich mit Ihrem Arbeitskonto an.',
  operations: 'Diese Seite ist für den Betrieb der Plattform. Melden Sie sich mit Ihrem Arbeitskonto an.',
} as const;

export const needed = 'Melden Sie sich an, um fortzufahren.';
export const ended =
  'Ihre Anmeldung ist abgelaufen. Melden Sie sich erneut an; diese Seite bleibt, wie sie ist.';
export const refusedByServer = (reason: string) =>
  `Der Server hat Ihre Anmeldung nicht angenommen. ${reason}`;
export const denied = (scope: string) =>
  `Ihr Konto darf das nicht. Bitten Sie um die Berechtigung „${scope}“.`;

export const pageTitle = 'Meridian Anmeldung';
export const brand = 'Anmeldung';
export const finishing = 'Sie werden angemeldet …';
export const failedTitle = 'Sie sind nicht angemeldet';
export const back = 'Zurück ohne Anmeldung';
export const toMap = 'Live-Karte';
export const mainNavigation = 'Hauptnavigation';

export const failures = {
  refused:
    'Die Anmeldung wurde abgebrochen oder abgelehnt. Waren Sie das nicht, fragen Sie, wer Ihr Konto ' +
    'verwaltet.',
  again: 'Die Anmeldung hat zu lange gedauert oder wurde unterbrochen. Versuchen Sie es noch einmal.',
  silent: 'Der Anmeldedienst antwortet nicht. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  clock:
    'Die Uhr dieses Geräts geht falsch, daher ist die Anmeldung nicht prüfbar. Stellen Sie die Uhr und ' +
    'versuchen Sie es noch einmal.',
  mismatch:
    'Diese Antwort gehört zu keiner Anmeldung in diesem Tab. Beginnen Sie die Anmeldung hier noch einmal.',
  scope:
    'Der Anmeldedienst kennt eine Berechtigung nicht, die diese Seite braucht. Sagen Sie es dem Betreiber ' +
    'dieses Servers.',
  provider:
    'Der Anmeldedienst hat einen Fehler gemeldet. Versuchen Sie es noch einmal; bleibt er, sagen Sie es ' +
    'dem Betreiber dieses Servers.',
} as const;
export const signedOutHere =
  'Sie sind auf dieser Seite abgemeldet, aber der Anmeldedienst hat nicht geantwortet. Schließen Sie auf ' +
  'einem gemeinsamen Gerät den Browser.';
