/** The rule of the inventory and the transitions of a reservation are SQL, tested on a database. */
const inventoryTests = [
  'tests/hotel/reserve-one.test.ts',
  'tests/hotel/reservations.test.ts',
  'tests/hotel/inventory-guards.test.ts',
  'tests/hotel/rates.test.ts',
  'tests/hotel/restrictions.test.ts',
  'tests/hotel/change-stay.test.ts',
  'tests/hotel/reservations-stays.test.ts',
  'tests/hotel/inventory-job.test.ts',
];
const sqlFrom = (name) => ({ sql: name });
/** The tests of the module itself before all others: most mutants are noticed by the first file. */
const ownFirst = (own, others) => [own, ...others.filter((each) => each !== own)];

const receiving = [
  'tests/ingest/locations.test.ts',
  'tests/ingest/shedding.test.ts',
  'tests/ingest/bad-input.test.ts',
  'tests/ingest/location-fields.test.ts',
];
const matching = [
  'tests/processors/matching/matching-step.test.ts',
  'tests/processors/matching/guidance.test.ts',
];
const closing = [
  'tests/processors/traffic/closure-bounds.test.ts',
  'tests/processors/traffic/passage-rate.test.ts',
  'tests/processors/traffic/walk-over.test.ts',
  'tests/processors/traffic/turn-shares.test.ts',
  'tests/processors/traffic/closure-evidence.test.ts',
  'tests/processors/traffic/sequential-test.test.ts',
  'tests/processors/traffic/traffic-step.test.ts',
];
const following = [
  'tests/map-data/metric-manifest.test.ts',
  'tests/processors/customization/customization.test.ts',
  'tests/processors/customization/damaged-metric.test.ts',
  'tests/processors/customization/hours.test.ts',
];
const tiles = [
  'tests/map-data/tile-envelope.test.ts',
  'tests/map-data/varints.test.ts',
  'tests/tile-builder/hostile-tiles.test.ts',
  'tests/tile-builder/tileset.test.ts',
  'tests/tile-builder/verify-release.test.ts',
];
const authentication = [
  'tests/platform/auth/verified-tokens.test.ts',
  'tests/platform/auth/jwt-authenticator.test.ts',
  'tests/platform/auth/grants.test.ts',
];

/** Modules with the tests that check them, and where the rule begins, by what rests on them. */
export const areas = {
  money: [
    ['payment/money/money.ts', ['tests/payment/money.test.ts']],
    ['payment/money/currency.ts', ['tests/payment/money.test.ts']],
    ['payment/ledger/place-transfers.ts', ['tests/payment/place-transfers.test.ts']],
    ['payment/settings/retry-policy.ts', ['tests/payment/orders.test.ts']],
    ['payment/orders/code-actions.ts', ['tests/payment/orders.test.ts']],
    ['payment/orders/apply-payment.ts', ['tests/payment/apply-payment.test.ts'], 'changesBy'],
  ],
  inventory: [
    [
      'hotel/schema/selling-rules.ts',
      [...inventoryTests, 'tests/hotel/calendar-days.test.ts', 'tests/hotel/channel-feed.test.ts'],
      sqlFrom('rooms_sold_at_most'),
    ],
    ['hotel/schema/reservations.ts', inventoryTests, sqlFrom('reservation_status_move')],
    ['hotel/schema/rate-plans.ts', inventoryTests, sqlFrom('night_prices')],
    ['hotel/schema/change-counts.ts', inventoryTests, sqlFrom('change_counts')],
    ['hotel/schema/reserve-one-by-plan.ts', inventoryTests, sqlFrom('reserve_one')],
  ],
  dedup: [
    ['ingest/receive-location-batch.ts', ownFirst('tests/ingest/location-receiver.test.ts', receiving)],
    [
      'processors/matching/processed-spans.ts',
      ownFirst('tests/processors/matching/processed-spans.test.ts', matching),
    ],
    ['processors/matching/match-batch.ts', matching, 'matchBatch'],
    [
      'payment/orders/idempotency-key.ts',
      ['tests/payment/idempotency-key.test.ts', 'tests/payment/http.test.ts', 'tests/payment/orders.test.ts'],
    ],
  ],
  tiles: [
    ['map-data/tiles/tile-envelope.ts', tiles],
    ['map-data/tiles/varints.ts', ownFirst('tests/map-data/varints.test.ts', tiles)],
    ['map-data/tiles/manifest.ts', tiles],
    ['map-data/tiles/decode-roads.ts', tiles],
    ['map-data/tiles/turn-tables.ts', tiles],
  ],
  auth: [
    ['platform/auth/jwt-authenticator.ts', authentication],
    ['platform/auth/key-source.ts', ownFirst('tests/platform/auth/key-source.test.ts', authentication)],
    [
      'platform/auth/development-issuer.ts',
      ownFirst('tests/platform/auth/development-issuer.test.ts', authentication),
    ],
  ],
  closures: [
    [
      'processors/traffic/sequential-test.ts',
      ownFirst('tests/processors/traffic/sequential-test.test.ts', closing),
    ],
    [
      'processors/traffic/closure-evidence.ts',
      ownFirst('tests/processors/traffic/closure-evidence.test.ts', closing),
    ],
    [
      'processors/traffic/passage-rate.ts',
      ownFirst('tests/processors/traffic/passage-rate.test.ts', closing),
    ],
    ['processors/traffic/turn-shares.ts', ownFirst('tests/processors/traffic/turn-shares.test.ts', closing)],
    ['processors/traffic/witnesses.ts', closing],
    ['processors/traffic/closure-hold.ts', closing],
  ],
  'metric follower': [
    ['map-data/metric/metric-follower.ts', following],
    ['map-data/metric/metric-coverage.ts', ownFirst('tests/map-data/metric-coverage.test.ts', following)],
    ['map-data/metric/metric-manifest.ts', following],
  ],
  risk: [
    [
      'payment/risk/buyer-identities.ts',
      ['tests/payment/buyer-identities.test.ts', 'tests/payment/risk-rules.test.ts'],
    ],
    [
      'payment/risk/risk-check.ts',
      [
        'tests/payment/risk-provider.test.ts',
        'tests/payment/risk-rules.test.ts',
        'tests/payment/risk.test.ts',
      ],
    ],
    ['payment/risk/buyer-events.ts', ['tests/payment/risk-rules.test.ts', 'tests/payment/risk.test.ts']],
    ['payment/risk/https-risk-check.ts', ['tests/payment/risk-provider.test.ts']],
  ],
};
