/** Every text of the operations page. */

export const brand = 'Operations';
export const pageTitle = 'Meridian Operations';
export const tabs = {
  overview: 'Overview',
  lags: 'Lags',
  closures: 'Closures',
  requests: 'Requests',
  customers: 'Customers',
  load: 'Map of load',
} as const;

// Whether the figures are current.
export const updatedAt = (time: string) => `Updated ${time}`;
export const lastFigures = (time: string) => `The figures are of ${time}.`;
export const signedOut = 'You are not signed in.';
export const denied = 'Your account has no access to the operations page. Ask for the scope “operator”.';
export const offline = 'This browser is offline. The page continues when it is online again.';
export const silent = 'The program does not answer. It may be stopped or restarting. Retrying.';
export const busy = 'The program is too busy to answer. Retrying.';
export const failed = 'The program answered with an error. Retrying.';
export const retryNow = 'Retry now';

// Units.
export const perSecond = (figure: string) => `${figure}/s`;
export const percent = (figure: string) => `${figure}%`;
export const milliseconds = (figure: string) => `${figure} ms`;
export const seconds = (figure: string) => `${figure} s`;
export const minutes = (figure: string) => `${figure} min`;
export const hours = (figure: string) => `${figure} h`;
export const days = (figure: string) => `${figure} d`;
export const ago = (duration: string) => `${duration} ago`;
export const records = (many: number, figure: string) => `${figure} ${many === 1 ? 'record' : 'records'}`;
export const drivers = (many: number, figure: string) => `${figure} ${many === 1 ? 'driver' : 'drivers'}`;
export const outOf = (some: string, all: string) => `${some} of ${all}`;
export const none = 'none';
export const unknown = 'not known';
export const never = 'never';

// Overview: the state.
export const ready = 'Ready';
export const notReady = 'Not ready';
export const readyText = 'Everything that the program needs is available.';
export const notReadyText = 'The program gets no new work until this is mended:';
export const without = 'The program works without, but slower:';
export const program = 'Program';
export const programs: Readonly<Record<string, string>> = { up: 'Whole platform', api: 'Gateway' };
export const version = 'Version';
export const runningFor = 'Running for';
export const map = 'Map';
export const release = 'Release';
export const metrics = 'Metric versions';
export const modes = { driving: 'Cars', truck: 'Trucks', bicycling: 'Bicycles', walking: 'On foot' } as const;
export const emptyRoads = 'empty roads';
export const metricAge = 'Last metric';
export const noMetric = 'none yet, empty roads are used';

// Overview: figures, each a link to its view.
export const figures = 'Figures';
export const largestLag = 'Largest lag';
export const noLag = 'All groups are up to date';
export const activeClosures = 'Closures and slow roads';
export const requestRate = 'Requests';
export const failedShare = 'Failed';
export const fullestQueue = 'Fullest queue';
export const activeDrivers = 'Active drivers';
export const connected = (figure: string) => `${figure} connected`;
export const ofLastMinutes = (duration: string) => `last ${duration}`;
export const slowest = (figure: string) => `slowest 99th percentile ${figure}`;
export const locations = (figure: string) => `${figure} locations`;
export const navigating = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'navigation' : 'navigations'}`;

// Conditions of `/readyz`.
export const conditions: Readonly<Record<string, string>> = {
  start: 'Start of the program',
  program: 'Program',
  api: 'Gateway',
  metric: 'Driving metric',
  'event log': 'Event log',
  'schema registry': 'Schema registry',
  'object store': 'Object store',
  'location store': 'Location store',
  'live cache': 'Live cache',
  database: 'Database',
};

// Lags.
export const lagsTitle = 'Lags of consumer groups';
export const lagsHint = 'Records that a group has not processed yet, in all programs on this event log.';
export const noGroups = 'No group has processed anything yet.';
export const lagColumns = { group: 'Group', topic: 'Reads', lag: 'Behind', newest: 'Newest record' } as const;
export const groups: Readonly<Record<string, string>> = {
  'location-writer': 'Location writer',
  matching: 'Map matching',
  'typical-week': 'Typical week',
  traffic: 'Speeds and closures',
  customization: 'Metric',
  reroute: 'Reroutes',
  'finished-trips': 'Finished trips',
  'arrival-model': 'Arrival times',
  personalization: 'Usual places',
  'new-roads': 'New roads',
  'new-roads-accepted': 'Accepted roads',
  'analytics-speeds': 'Speeds for analysts',
  'analytics-closures': 'Closures for analysts',
  'analytics-arrivals': 'Arrivals for analysts',
  booking: 'Bookings',
  'payment-ledger': 'Ledger',
  'payment-wallet': 'Wallet',
  'payment-executor': 'Payment calls',
  'payment-analytics': 'Payments for analysts',
  'payment-notifications': 'Payment notices',
  'payment-merchants': 'Webhooks to merchants',
};
export const topics: Readonly<Record<string, string>> = {
  'location.batch.recorded.v1': 'Locations',
  'traffic.edge.observed.v1': 'Observed roads',
  'traffic.segment.speed.v1': 'Speeds',
  'traffic.closure.reported.v1': 'Reports of closures',
  'traffic.incident.changed.v1': 'Closures',
  'road.metric.customized.v1': 'Metrics',
  'nav.session.changed.v1': 'Navigations',
  'nav.progress.v1': 'Positions on routes',
  'nav.route.changed.v1': 'Reroutes',
  'nav.arrival.observed.v1': 'Finished trips',
  'map.trace.stray.v1': 'Drives off the map',
  'map.road.proposed.v1': 'Proposed roads',
  'map.road.reviewed.v1': 'Reviews of roads',
  'user.personalization.changed.v1': 'Permissions to learn',
  'hotel.inventory.changed.v1': 'Free rooms',
  'hotel.ari.changed.v1': 'Rates and availability',
  'reservation.lifecycle.v1': 'Reservations',
  'payment.order.lifecycle.v1': 'Payments',
  'payment.retry.v1': 'Retried payments',
  'payment.dlq.v1': 'Payments given up',
  'payment.notice.v1': 'Payment notices',
  'dead.letter.v1': 'Dead letters',
};

// Closures.
export const closuresTitle = 'Closures and slow roads';
export const closuresHint =
  'A detected closure is listed once the evidence exceeds the error that the settings allow. ' +
  'The detector records what it observed, not a probability.';
export const allOpen = 'All roads are open.';
export const counted = (detected: string, byOperators: string) =>
  `${detected} detected, ${byOperators} by operators`;
export const onlyNewest = (shown: string, all: string) => `The newest ${shown} of ${all} are shown.`;
export const unnamedRoad = 'Unnamed road';
export const kinds = {
  closed: 'closed for driving',
  blocked: 'closed for everybody',
  slow: 'slow',
} as const;
export const slowAt = (speed: string) => `slow, ${speed} km/h`;
export const sources = { detected: 'detected', operator: 'operator' } as const;
export const since = (moment: string) => `since ${moment}`;
export const until = (moment: string) => `until ${moment} without new evidence`;
export const ends = (moment: string) => `until ${moment}`;
export const openEnded = 'until it is reopened';
export const decidedBy = (age: string) => `last evidence ${age}`;
export const directions = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'piece of road' : 'pieces of road'}`;
export const showOnMap = 'Show on the map';
export const showRoadOnMap = (road: string) => `Show ${road} on the map`;
export const notOnMap = 'This map does not have the road.';

// Requests.
export const requestsTitle = 'Requests';
export const requestsHint = (program: string, duration: string) =>
  `Of this program (${program}) in the last ${duration}. Dashboards have all programs and longer times.`;
export const noRequests = 'No requests yet.';
export const requestColumns = {
  operation: 'Operation',
  rate: 'Rate',
  failed: 'Failed',
  refused: 'Refused',
  p50: 'Median',
  p99: '99th percentile',
} as const;
export const others = 'Pages, files and checks';
export const requestBars = (most: string) => `Requests by time, at most ${most}; failed ones in red`;
export const queuesTitle = 'Bounded queues';
export const queuesHint = 'A full queue refuses more.';
export const queues: Readonly<Record<string, string>> = {
  'public requests': 'Public requests',
  'internal requests': 'Internal requests',
  'route searches': 'Route searches',
  'log appends': 'Appends to the event log',
  'database connections': 'Waiting for the database',
  'trace spans': 'Trace spans',
};

// Customers.
export const customersTitle = 'Customers with API keys';
export const customersHint = (shown: string, all: string) =>
  `${shown} of ${all} customers, those with the most requests this month first. Days and months are UTC.`;
export const keysOff =
  'API keys are off. Set API_KEYS to “optional” or “required” to count requests by customer.';
export const noCustomers =
  'No customers yet. Add a plan and a customer with PUT /v1/plans and PUT /v1/customers.';
export const customerColumns = {
  customer: 'Customer',
  keys: 'Active keys',
  used: 'Last request',
  month: 'This month',
  days: 'Last days',
} as const;
export const plan = (name: string) => `Plan ${name}`;
export const families = {
  navigation: 'Navigation',
  geocoding: 'Geocoding',
  map: 'Map',
  traffic: 'Traffic',
  locations: 'Locations',
} as const;
export const today = (requests: string) => `today ${requests}`;
export const noQuota = 'no quota';
export const requestsOf = (many: number, figure: string) =>
  `${figure} ${many === 1 ? 'request' : 'requests'}`;

// The map of load.
export const loadTitle = 'Map of load';
export const loadHint = 'Drivers with a location in the last minute, by square of the map, and closures.';
export const noDrivers = 'No driver has sent a location in the last minute.';
export const elsewhere = (drivers: string) => `${drivers} elsewhere`;
export const mapOf = (area: string, drivers: string, squares: string) =>
  `Map of ${area}: ${drivers} in ${squares} squares`;
export const legend = 'Drivers in a square';
export const upTo = (from: string, to: string) => (from === to ? from : `${from} to ${to}`);
export const roadClosed = { detected: 'Detected closure', operator: 'Closure by operators' } as const;
export const busiest = 'Busiest squares';
export const place = (lat: string, lng: string) => `${lat}, ${lng}`;
export const outlineFailed = 'The roads of the map could not be loaded.';
export const mapSource = '© OpenStreetMap contributors';
