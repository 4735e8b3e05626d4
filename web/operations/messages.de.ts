/** German texts of the operations page. */

export const brand = 'Betrieb';
export const pageTitle = 'Meridian Betrieb';
export const tabs = {
  overview: 'Übersicht',
  lags: 'Rückstände',
  closures: 'Sperrungen',
  requests: 'Anfragen',
  customers: 'Kunden',
  load: 'Lastkarte',
} as const;

export const updatedAt = (time: string) => `Stand ${time}`;
export const lastFigures = (time: string) => `Die Zahlen sind von ${time}.`;
export const signedOut = 'Sie sind nicht angemeldet.';
export const denied =
  'Ihr Konto hat keinen Zugang zur Betriebsseite. Bitten Sie um die Berechtigung „operator“.';
export const offline = 'Der Browser ist offline. Die Seite läuft weiter, sobald er wieder online ist.';
export const silent =
  'Das Programm antwortet nicht. Vielleicht steht es oder startet neu. Neuer Versuch folgt.';
export const busy = 'Das Programm ist zu ausgelastet, um zu antworten. Neuer Versuch folgt.';
export const failed = 'Das Programm antwortete mit einem Fehler. Neuer Versuch folgt.';
export const retryNow = 'Jetzt versuchen';

export const perSecond = (figure: string) => `${figure}/s`;
export const percent = (figure: string) => `${figure} %`;
export const milliseconds = (figure: string) => `${figure} ms`;
export const seconds = (figure: string) => `${figure} s`;
export const minutes = (figure: string) => `${figure} Min.`;
export const hours = (figure: string) => `${figure} Std.`;
export const days = (figure: string) => `${figure} T.`;
export const ago = (duration: string) => `vor ${duration}`;
export const records = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'Datensatz' : 'Datensätze'}`;
export const drivers = (_: number, figure: string) => `${figure} Fahrer`;
export const outOf = (some: string, all: string) => `${some} von ${all}`;
export const none = 'keine';
export const unknown = 'nicht bekannt';
export const never = 'nie';

export const ready = 'Bereit';
export const notReady = 'Nicht bereit';
export const readyText = 'Alles, was das Programm braucht, ist verfügbar.';
export const notReadyText = 'Das Programm bekommt keine neue Arbeit, bis dies behoben ist:';
export const without = 'Das Programm läuft auch ohne, aber langsamer:';
export const program = 'Programm';
export const programs: Readonly<Record<string, string>> = { up: 'Ganze Plattform', api: 'Zugangsserver' };
export const version = 'Version';
export const runningFor = 'Läuft seit';
export const map = 'Karte';
export const release = 'Ausgabe';
export const metrics = 'Versionen der Metrik';
export const modes = { driving: 'Auto', truck: 'Lkw', bicycling: 'Fahrrad', walking: 'Zu Fuß' } as const;
export const emptyRoads = 'leere Straßen';
export const metricAge = 'Letzte Metrik';
export const noMetric = 'noch keine, es gelten leere Straßen';

export const figures = 'Kennzahlen';
export const largestLag = 'Größter Rückstand';
export const noLag = 'Alle Gruppen sind aktuell';
export const activeClosures = 'Sperrungen und zähe Straßen';
export const requestRate = 'Anfragen';
export const failedShare = 'Fehlgeschlagen';
export const fullestQueue = 'Vollste Warteschlange';
export const activeDrivers = 'Aktive Fahrer';
export const connected = (figure: string) => `${figure} verbunden`;
export const ofLastMinutes = (duration: string) => `letzte ${duration}`;
export const slowest = (figure: string) => `langsamstes 99. Perzentil ${figure}`;
export const locations = (figure: string) => `${figure} Standorte`;
export const navigating = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'Navigation' : 'Navigationen'}`;

export const conditions: Readonly<Record<string, string>> = {
  start: 'Programmstart',
  program: 'Das Programm',
  api: 'Zugangsserver',
  metric: 'Metrik für Autos',
  'event log': 'Ereignisprotokoll',
  'schema registry': 'Schemaverzeichnis',
  'object store': 'Objektspeicher',
  'location store': 'Standortspeicher',
  'live cache': 'Zwischenspeicher',
  database: 'Datenbank',
};

export const lagsTitle = 'Rückstände der Verbrauchergruppen';
export const lagsHint =
  'Datensätze, die eine Gruppe noch nicht verarbeitet hat, in allen Programmen an diesem Ereignisprotokoll.';
export const noGroups = 'Noch keine Gruppe hat etwas verarbeitet.';
export const lagColumns = {
  group: 'Gruppe',
  topic: 'Liest',
  lag: 'Rückstand',
  newest: 'Neuester Datensatz',
} as const;
export const groups: Readonly<Record<string, string>> = {
  'location-writer': 'Standortschreiber',
  matching: 'Kartenabgleich',
  'typical-week': 'Typische Woche',
  traffic: 'Tempo und Sperrungen',
  customization: 'Metrik',
  reroute: 'Umleitungen',
  'finished-trips': 'Beendete Fahrten',
  'arrival-model': 'Ankunftszeiten',
  personalization: 'Gewohnte Orte',
  'new-roads': 'Neue Straßen',
  'new-roads-accepted': 'Angenommene Straßen',
  'analytics-speeds': 'Tempo für Analysen',
  'analytics-closures': 'Sperrungen für Analysen',
  'analytics-arrivals': 'Ankünfte für Analysen',
  booking: 'Buchungen',
  'payment-ledger': 'Hauptbuch',
  'payment-wallet': 'Guthaben',
  'payment-executor': 'Zahlungsaufrufe',
  'payment-analytics': 'Zahlungen für Analysen',
  'payment-notifications': 'Zahlungsmitteilungen',
  'payment-merchants': 'Webhooks an Händler',
};
export const topics: Readonly<Record<string, string>> = {
  'location.batch.recorded.v1': 'Standorte',
  'traffic.edge.observed.v1': 'Beobachtete Straßen',
  'traffic.segment.speed.v1': 'Geschwindigkeiten',
  'traffic.closure.reported.v1': 'Meldungen von Sperrungen',
  'traffic.incident.changed.v1': 'Sperrungen',
  'road.metric.customized.v1': 'Metriken',
  'nav.session.changed.v1': 'Navigationen',
  'nav.progress.v1': 'Positionen auf Routen',
  'nav.route.changed.v1': 'Umleitungen',
  'nav.arrival.observed.v1': 'Beendete Fahrten',
  'map.trace.stray.v1': 'Fahrten abseits der Karte',
  'map.road.proposed.v1': 'Vorgeschlagene Straßen',
  'map.road.reviewed.v1': 'Geprüfte Straßen',
  'user.personalization.changed.v1': 'Erlaubnisse zum Lernen',
  'hotel.inventory.changed.v1': 'Freie Zimmer',
  'hotel.ari.changed.v1': 'Preise und Verfügbarkeit',
  'reservation.lifecycle.v1': 'Reservierungen',
  'payment.order.lifecycle.v1': 'Zahlungen',
  'payment.retry.v1': 'Wiederholte Zahlungen',
  'payment.dlq.v1': 'Aufgegebene Zahlungen',
  'payment.notice.v1': 'Zahlungsmitteilungen',
  'dead.letter.v1': 'Unlesbare Datensätze',
};

export const closuresTitle = 'Sperrungen und zähe Straßen';
export const closuresHint =
  'Eine erkannte Sperrung steht hier, sobald die Belege den Fehler übertreffen, den die Einstellungen ' +
  'erlauben. Die Erkennung hält fest, was sie beobachtet hat, keine Wahrscheinlichkeit.';
export const allOpen = 'Alle Straßen sind offen.';
export const counted = (detected: string, byOperators: string) =>
  `${detected} erkannt, ${byOperators} von der Leitstelle`;
export const onlyNewest = (shown: string, all: string) => `Gezeigt sind die ${shown} neuesten von ${all}.`;
export const unnamedRoad = 'Straße ohne Namen';
export const kinds = {
  closed: 'für Kraftfahrzeuge gesperrt',
  blocked: 'für alle gesperrt',
  slow: 'zäh',
} as const;
export const slowAt = (speed: string) => `zäh, ${speed} km/h`;
export const sources = { detected: 'erkannt', operator: 'Leitstelle' } as const;
export const since = (moment: string) => `seit ${moment}`;
export const until = (moment: string) => `bis ${moment} ohne neue Belege`;
export const ends = (moment: string) => `bis ${moment}`;
export const openEnded = 'bis zur Öffnung';
export const decidedBy = (age: string) => `letzter Beleg ${age}`;
export const directions = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'Straßenstück' : 'Straßenstücke'}`;
export const showOnMap = 'Auf der Karte zeigen';
export const showRoadOnMap = (road: string) => `${road} auf der Karte zeigen`;
export const notOnMap = 'Diese Karte hat die Straße nicht.';

export const requestsTitle = 'Anfragen';
export const requestsHint = (program: string, duration: string) =>
  `An dieses Programm (${program}), letzte ${duration}. ` +
  'Alle Programme und längere Zeiten zeigen die Dashboards.';
export const noRequests = 'Noch keine Anfragen.';
export const requestColumns = {
  operation: 'Aufruf',
  rate: 'Rate',
  failed: 'Fehlgeschlagen',
  refused: 'Abgelehnt',
  p50: 'Mittelwert (Median)',
  p99: '99. Perzentil',
} as const;
export const others = 'Seiten, Dateien und Prüfungen';
export const requestBars = (most: string) =>
  `Anfragen im Zeitverlauf, höchstens ${most}; fehlgeschlagene in Rot`;
export const queuesTitle = 'Begrenzte Warteschlangen';
export const queuesHint = 'Eine volle Warteschlange nimmt nichts mehr an.';
export const queues: Readonly<Record<string, string>> = {
  'public requests': 'Öffentliche Anfragen',
  'internal requests': 'Interne Anfragen',
  'route searches': 'Routensuchen',
  'log appends': 'Schreiben ins Ereignisprotokoll',
  'database connections': 'Warten auf die Datenbank',
  'trace spans': 'Ablaufaufzeichnungen',
};

export const customersTitle = 'Kunden mit API-Schlüsseln';
export const customersHint = (shown: string, all: string) =>
  `${shown} von ${all} Kunden, die mit den meisten Anfragen in diesem Monat zuerst. ` +
  'Tage und Monate sind in UTC.';
export const keysOff =
  'API-Schlüssel sind ausgeschaltet. Setzen Sie API_KEYS auf „optional“ oder „required“, um Anfragen ' +
  'je Kunde zu zählen.';
export const noCustomers =
  'Noch keine Kunden. Legen Sie mit PUT /v1/plans und PUT /v1/customers einen Tarif und einen Kunden an.';
export const customerColumns = {
  customer: 'Kunde',
  keys: 'Aktive Schlüssel',
  used: 'Letzte Anfrage',
  month: 'Dieser Monat',
  days: 'Letzte Tage',
} as const;
export const plan = (name: string) => `Tarif ${name}`;
export const families = {
  navigation: 'Navigation',
  geocoding: 'Ortssuche',
  map: 'Karte',
  traffic: 'Verkehr',
  locations: 'Standorte',
} as const;
export const today = (requests: string) => `heute ${requests}`;
export const noQuota = 'kein Kontingent';
export const requestsOf = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'Anfrage' : 'Anfragen'}`;

export const loadTitle = 'Lastkarte';
export const loadHint = 'Fahrer mit einem Standort in der letzten Minute je Kartenfeld, und Sperrungen.';
export const noDrivers = 'Kein Fahrer hat in der letzten Minute einen Standort gesendet.';
export const elsewhere = (drivers: string) => `${drivers} anderswo`;
export const mapOf = (area: string, drivers: string, squares: string) =>
  `Karte von ${area}: ${drivers} in ${squares} Feldern`;
export const legend = 'Fahrer in einem Feld';
export const upTo = (from: string, to: string) => (from === to ? from : `${from} bis ${to}`);
export const roadClosed = { detected: 'Erkannte Sperrung', operator: 'Sperrung der Leitstelle' } as const;
export const busiest = 'Felder mit den meisten Fahrern';
export const place = (lat: string, lng: string) => `${lat}; ${lng}`;
export const outlineFailed = 'Die Straßen der Karte konnten nicht geladen werden.';
export const mapSource = '© OpenStreetMap-Mitwirkende';
