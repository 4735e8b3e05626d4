/** Swedish texts of the operations page. */

export const brand = 'Drift';
export const pageTitle = 'Meridian Drift';
export const tabs = {
  overview: 'Översikt',
  lags: 'Eftersläpning',
  closures: 'Avstängningar',
  requests: 'Anrop',
  customers: 'Kunder',
  load: 'Lastkarta',
} as const;

export const updatedAt = (time: string) => `Uppdaterad ${time}`;
export const lastFigures = (time: string) => `Siffrorna är från ${time}.`;
export const signedOut = 'Du är inte inloggad.';
export const denied = 'Ditt konto har ingen åtkomst till driftsidan. Be om behörigheten ”operator”.';
export const offline = 'Webbläsaren är offline. Sidan fortsätter när den är online igen.';
export const silent = 'Programmet svarar inte. Det kan vara stoppat eller starta om. Försöker igen.';
export const busy = 'Programmet är för upptaget för att svara. Försöker igen.';
export const failed = 'Programmet svarade med ett fel. Försöker igen.';
export const retryNow = 'Försök nu';

export const perSecond = (figure: string) => `${figure}/s`;
export const percent = (figure: string) => `${figure} %`;
export const milliseconds = (figure: string) => `${figure} ms`;
export const seconds = (figure: string) => `${figure} s`;
export const minutes = (figure: string) => `${figure} min`;
export const hours = (figure: string) => `${figure} tim`;
export const days = (figure: string) => `${figure} d`;
export const ago = (duration: string) => `för ${duration} sedan`;
export const records = (many: number, figure: string) => `${figure} ${many === 1 ? 'post' : 'poster'}`;
export const drivers = (many: number, figure: string) => `${figure} ${many === 1 ? 'förare' : 'förare'}`;
export const outOf = (some: string, all: string) => `${some} av ${all}`;
export const none = 'ingen';
export const unknown = 'okänt';
export const never = 'aldrig';

export const ready = 'Redo';
export const notReady = 'Inte redo';
export const readyText = 'Allt som programmet behöver är tillgängligt.';
export const notReadyText = 'Programmet får inget nytt arbete förrän detta är åtgärdat:';
export const without = 'Programmet fungerar utan, men långsammare:';
export const program = 'Program';
export const programs: Readonly<Record<string, string>> = { up: 'Hela plattformen', api: 'Nätsluss' };
export const version = 'Version';
export const runningFor = 'Igång i';
export const map = 'Karta';
export const release = 'Utgåva';
export const metrics = 'Metrikversioner';
export const modes = { driving: 'Bil', truck: 'Lastbil', bicycling: 'Cykel', walking: 'Till fots' } as const;
export const emptyRoads = 'tomma vägar';
export const metricAge = 'Senaste metriken';
export const noMetric = 'ingen ännu, tomma vägar används';

export const figures = 'Siffror';
export const largestLag = 'Största eftersläpning';
export const noLag = 'Alla grupper är ikapp';
export const activeClosures = 'Avstängningar och tröga vägar';
export const requestRate = 'Anrop';
export const failedShare = 'Misslyckade';
export const fullestQueue = 'Fullaste kön';
export const activeDrivers = 'Aktiva förare';
export const connected = (figure: string) => `${figure} anslutna`;
export const ofLastMinutes = (duration: string) => `senaste ${duration}`;
export const slowest = (figure: string) => `långsammaste 99:e percentil ${figure}`;
export const locations = (figure: string) => `${figure} positioner`;
export const navigating = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'navigering' : 'navigeringar'}`;

export const conditions: Readonly<Record<string, string>> = {
  start: 'Programstart',
  program: 'Programmet',
  api: 'Nätslussen',
  metric: 'Metrik för bil',
  'event log': 'Händelselogg',
  'schema registry': 'Schemaregister',
  'object store': 'Objektlager',
  'location store': 'Positionslager',
  'live cache': 'Livecache',
  database: 'Databas',
};

export const lagsTitle = 'Konsumentgruppernas eftersläpning';
export const lagsHint = 'Poster som en grupp inte har behandlat än, i alla program på denna händelselogg.';
export const noGroups = 'Ingen grupp har behandlat något än.';
export const lagColumns = { group: 'Grupp', topic: 'Läser', lag: 'Efter', newest: 'Nyaste posten' } as const;
export const groups: Readonly<Record<string, string>> = {
  'location-writer': 'Positionsskrivare',
  matching: 'Kartmatchning',
  'typical-week': 'Typisk vecka',
  traffic: 'Hastigheter och avstängningar',
  customization: 'Metrik',
  reroute: 'Omledningar',
  'finished-trips': 'Avslutade resor',
  'arrival-model': 'Ankomsttider',
  personalization: 'Vanliga platser',
  'new-roads': 'Nya vägar',
  'new-roads-accepted': 'Godkända vägar',
  'analytics-speeds': 'Hastigheter för analytiker',
  'analytics-closures': 'Avstängningar för analytiker',
  'analytics-arrivals': 'Ankomster för analytiker',
  booking: 'Bokningar',
  'payment-ledger': 'Huvudbok',
  'payment-wallet': 'Plånbok',
  'payment-executor': 'Betalningsanrop',
  'payment-analytics': 'Betalningar för analytiker',
  'payment-notifications': 'Betalningsmeddelanden',
  'payment-merchants': 'Webhookar till handlare',
};
export const topics: Readonly<Record<string, string>> = {
  'location.batch.recorded.v1': 'Positioner',
  'traffic.edge.observed.v1': 'Observerade vägar',
  'traffic.segment.speed.v1': 'Hastigheter',
  'traffic.closure.reported.v1': 'Rapporter om avstängningar',
  'traffic.incident.changed.v1': 'Avstängningar',
  'road.metric.customized.v1': 'Metriker',
  'nav.session.changed.v1': 'Navigeringar',
  'nav.progress.v1': 'Lägen på rutter',
  'nav.route.changed.v1': 'Omledningar',
  'nav.arrival.observed.v1': 'Avslutade resor',
  'map.trace.stray.v1': 'Körningar utanför kartan',
  'map.road.proposed.v1': 'Föreslagna vägar',
  'map.road.reviewed.v1': 'Granskade vägar',
  'user.personalization.changed.v1': 'Tillstånd att lära',
  'hotel.inventory.changed.v1': 'Lediga rum',
  'hotel.ari.changed.v1': 'Priser och tillgänglighet',
  'reservation.lifecycle.v1': 'Reservationer',
  'payment.order.lifecycle.v1': 'Betalningar',
  'payment.retry.v1': 'Upprepade betalningar',
  'payment.dlq.v1': 'Uppgivna betalningar',
  'payment.notice.v1': 'Betalningsmeddelanden',
  'dead.letter.v1': 'Oläsbara poster',
};

export const closuresTitle = 'Avstängningar och tröga vägar';
export const closuresHint =
  'En upptäckt avstängning listas när bevisen överstiger det fel som inställningarna tillåter. ' +
  'Detektorn noterar vad den har sett, inte en sannolikhet.';
export const allOpen = 'Alla vägar är öppna.';
export const counted = (detected: string, byOperators: string) =>
  `${detected} upptäckta, ${byOperators} av operatörer`;
export const onlyNewest = (shown: string, all: string) => `De ${shown} nyaste av ${all} visas.`;
export const unnamedRoad = 'Väg utan namn';
export const kinds = {
  closed: 'stängd för biltrafik',
  blocked: 'stängd för alla',
  slow: 'trög',
} as const;
export const slowAt = (speed: string) => `trög, ${speed} km/h`;
export const sources = { detected: 'upptäckt', operator: 'operatör' } as const;
export const since = (moment: string) => `sedan ${moment}`;
export const until = (moment: string) => `till ${moment} utan nya bevis`;
export const ends = (moment: string) => `till ${moment}`;
export const openEnded = 'tills den öppnas';
export const decidedBy = (age: string) => `senaste bevis ${age}`;
export const directions = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'vägstycke' : 'vägstycken'}`;
export const showOnMap = 'Visa på kartan';
export const showRoadOnMap = (road: string) => `Visa ${road} på kartan`;
export const notOnMap = 'Den här kartan har inte vägen.';

export const requestsTitle = 'Anrop';
export const requestsHint = (program: string, duration: string) =>
  `Till detta program (${program}) de senaste ${duration}. ` +
  'Översiktstavlorna har alla program och längre tider.';
export const noRequests = 'Inga anrop än.';
export const requestColumns = {
  operation: 'Operation',
  rate: 'Takt',
  failed: 'Misslyckade',
  refused: 'Avvisade',
  p50: 'Median',
  p99: '99:e percentilen',
} as const;
export const others = 'Sidor, filer och kontroller';
export const requestBars = (most: string) => `Anrop över tid, som mest ${most}; misslyckade i rött`;
export const queuesTitle = 'Begränsade köer';
export const queuesHint = 'En full kö tar inte emot mer.';
export const queues: Readonly<Record<string, string>> = {
  'public requests': 'Publika anrop',
  'internal requests': 'Interna anrop',
  'route searches': 'Ruttsökningar',
  'log appends': 'Skrivningar till händelseloggen',
  'database connections': 'Väntar på databasen',
  'trace spans': 'Spårningsavsnitt',
};

export const customersTitle = 'Kunder med API-nycklar';
export const customersHint = (shown: string, all: string) =>
  `${shown} av ${all} kunder, de med flest anrop denna månad först. Dagar och månader är i UTC.`;
export const keysOff =
  'API-nycklar är avstängda. Sätt API_KEYS till ”optional” eller ”required” för att räkna anrop per kund.';
export const noCustomers =
  'Inga kunder än. Lägg till en plan och en kund med PUT /v1/plans och PUT /v1/customers.';
export const customerColumns = {
  customer: 'Kund',
  keys: 'Aktiva nycklar',
  used: 'Senaste anrop',
  month: 'Denna månad',
  days: 'Senaste dagarna',
} as const;
export const plan = (name: string) => `Plan ${name}`;
export const families = {
  navigation: 'Navigering',
  geocoding: 'Geokodning',
  map: 'Karta',
  traffic: 'Trafik',
  locations: 'Positioner',
} as const;
export const today = (requests: string) => `idag ${requests}`;
export const noQuota = 'ingen kvot';
export const requestsOf = (_: number, figure: string) => `${figure} anrop`;

export const loadTitle = 'Lastkarta';
export const loadHint = 'Förare med en position senaste minuten, per kartruta, och avstängningar.';
export const noDrivers = 'Ingen förare har skickat en position senaste minuten.';
export const elsewhere = (drivers: string) => `${drivers} på annat håll`;
export const mapOf = (area: string, drivers: string, squares: string) =>
  `Karta över ${area}: ${drivers} i ${squares} rutor`;
export const legend = 'Förare i en ruta';
export const upTo = (from: string, to: string) => (from === to ? from : `${from} till ${to}`);
export const roadClosed = { detected: 'Upptäckt avstängning', operator: 'Avstängd av operatörer' } as const;
export const busiest = 'Rutor med flest förare';
export const place = (lat: string, lng: string) => `${lat}; ${lng}`;
export const outlineFailed = 'Kartans vägar kunde inte laddas.';
export const mapSource = '© OpenStreetMaps bidragsgivare';
