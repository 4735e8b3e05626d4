export const signIn = 'Logga in';
export const signInAgain = 'Logga in igen';
export const signOut = 'Logga ut';
export const signedIn = 'Inloggad';
export const signedInAs = (name: string) => `Inloggad som ${name}`;
export const purposes = {
  map: 'Logga in för att navigera och dela din plats. Operatörer ser också förare och stänger vägar.',
  stay: 'Logga in för att boka rum och se dina bokningar och sparade kort.',
  payment: 'Logga in för att betala.',
  staff: 'Receptionen är för hotellets personal. Logga in med ditt arbetskonto.',
  finance: 'Sidan är för ekonomiavdelningen. Logga in med ditt arbetskonto.',
  operations: 'Sidan är för dem som driver plattformen. Logga in med ditt arbetskonto.',
} as const;

export const needed = 'Logga in för att fortsätta.';
export const ended = 'Din inloggning har upphört. Logga in igen för att fortsätta; sidan förblir som den är.';
export const refusedByServer = (reason: string) => `Servern godtog inte din inloggning. ${reason}`;
export const denied = (scope: string) => `Ditt konto får inte göra detta. Be om behörigheten ”${scope}”.`;

export const pageTitle = 'Meridian inloggning';
export const brand = 'Inloggning';
export const finishing = 'Du loggas in …';
export const failedTitle = 'Du är inte inloggad';
export const back = 'Tillbaka utan att logga in';
export const toMap = 'Livekarta';
export const mainNavigation = 'Huvudmeny';

export const failures = {
  refused: 'Inloggningen avbröts eller nekades. Om det inte var du, fråga den som sköter ditt konto.',
  again: 'Inloggningen tog för lång tid eller avbröts. Försök igen.',
  silent: 'Inloggningstjänsten svarar inte. Kontrollera anslutningen och försök igen.',
  clock: 'Enhetens klocka går fel, så inloggningen kan inte kontrolleras. Ställ klockan och försök igen.',
  mismatch: 'Svaret hör inte till en inloggning i den här fliken. Börja om inloggningen här.',
  scope: 'Inloggningstjänsten känner inte till en behörighet som sidan behöver. Meddela serverns ansvariga.',
  provider: 'Inloggningstjänsten svarade med ett fel. Försök igen; kvarstår det, meddela serverns ansvariga.',
} as const;
export const signedOutHere =
  'Du är utloggad på den här sidan, men inloggningstjänsten svarade inte. Stäng webbläsaren på en delad ' +
  'enhet.';
