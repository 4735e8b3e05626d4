import { type TObject, type TSchema, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { type Deprecation, type RouteContract, sunsetDaysMin } from '#schemas/http/route-contract.js';
import { breakingChanges } from '#tools/http-contracts/breaking-changes.js';
import { deprecationFaults } from '#tools/http-contracts/deprecation-faults.js';
import { httpLockText, nextHttpLock, readHttpLock } from '#tools/http-contracts/http-lock.js';
import { comparable } from '#tools/http-contracts/json-schema.js';
import { type OperationShape, operationShape } from '#tools/http-contracts/operation-shape.js';
import { type Side, schemaChanges } from '#tools/http-contracts/schema-changes.js';

const today = '2027-06-01';

const things = {
  operationId: 'listThings',
  method: 'GET',
  path: '/v1/shelves/{shelf}/things',
  listener: 'both',
  tag: 'things',
  summary: 'All things',
  scopes: ['driver', 'customer'],
  params: Type.Object({ shelf: Type.String({ maxLength: 64 }) }),
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
  responses: {
    200: { description: 'Some.', schema: Type.Object({ names: Type.Array(Type.String()) }) },
    404: { description: 'None.' },
  },
} as const satisfies RouteContract;
const putThing = {
  ...things,
  operationId: 'putThing',
  method: 'PUT',
  body: {
    maxBytes: 1_000,
    contentTypes: ['application/json', 'text/csv'],
    schema: Type.Object({ kind: Type.Union([Type.Literal('a'), Type.Literal('b')]) }),
  },
} as const satisfies RouteContract;

const changes = (before: RouteContract, after: RouteContract | undefined): string[] =>
  breakingChanges([operationShape(before)], after === undefined ? [] : [operationShape(after)], today);

describe('breaking changes of operations', () => {
  test('nothing changed, or an operation was added: none', () => {
    for (const contract of [things, putThing] as RouteContract[])
      expect(changes(contract, contract)).toEqual([]);
    expect(breakingChanges([], [things, putThing].map(operationShape), today)).toEqual([]);
  });

  const broken: readonly [string, RouteContract, RouteContract | undefined, string][] = [
    ['removed', things, undefined, 'was removed without a deprecation'],
    ['renamed', things, { ...things, operationId: 'getThings' }, 'operationId'],
    ['another path', things, { ...things, path: '/v2/shelves/{shelf}/things' }, 'was removed'],
    ['another method', things, { ...things, method: 'POST' }, 'was removed'],
    ['not on a listener', things, { ...things, listener: 'internal' }, 'public listener'],
    ['a scope less', things, { ...things, scopes: ['driver'] }, 'customer'],
    ['open no more', { ...things, scopes: 'open' }, things, 'asks for one of driver, customer'],
    ['a parameter less', things, without(things, 'query'), 'query/limit is not accepted'],
    [
      'a query that is required',
      things,
      { ...things, query: Type.Object({ ...things.query.properties, page: Type.Integer() }) },
      'query/page is required now',
    ],
    [
      'no other parameters',
      things,
      { ...things, query: Type.Object(things.query.properties, { additionalProperties: false }) },
      'query accepts no other fields',
    ],
    ['a narrower path', things, { ...things, params: shelf(63) }, 'params/shelf accepts less'],
    ['no body', putThing, without(putThing, 'body'), 'not accepted any more'],
    ['a body', without(putThing, 'body'), putThing, 'A body is required now'],
    ['a smaller body', putThing, body({ maxBytes: 999 }), 'at most 999'],
    ['a content type less', putThing, body({ contentTypes: ['application/json'] }), 'text/csv'],
    ['a body that is checked now', without(putThing, 'body', 'schema'), putThing, 'required, or checked'],
    ['a word less', putThing, body({ schema: Type.Object({ kind: Type.Literal('a') }) }), 'no "b" any more'],
    ['no success', things, without(things, 'responses', 200), 'does not answer 200'],
    [
      'another success',
      things,
      { ...things, responses: { ...things.responses, 202: { description: 'Later.' } } },
      'may succeed with 202',
    ],
    [
      'another content type',
      things,
      answer({ schema: things.responses[200].schema, contentType: 'text/csv' }),
      'is text/csv',
    ],
    ['a field less', things, answer({ schema: Type.Object({}) }), 'answer 200/names is not answered'],
  ];
  test.each(broken)('%s', (_name, before, after, sentence) => {
    const faults = changes(before, after);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(sentence);
    expect(faults[0]).toContain(before.path);
  });

  test('wider is no break', () => {
    const wider: readonly [RouteContract, RouteContract][] = [
      [{ ...things, listener: 'public' }, things],
      [{ ...things, scopes: ['driver'] }, things],
      [things, { ...things, scopes: 'open' }],
      [things, { ...things, params: shelf(65) }],
      [without(things, 'query'), things],
      [without(things, 'query'), { ...things, query: Type.Object({}, { additionalProperties: false }) }],
      [putThing, body({ maxBytes: 1_001, contentTypes: ['application/json', 'text/csv', 'text/plain'] })],
      [things, { ...things, responses: { ...things.responses, 409: { description: 'Taken.' } } }],
      [things, without(things, 'responses', 404)],
      [things, { ...things, summary: 'Other words', description: 'And more.' }],
    ];
    for (const [before, after] of wider) expect(changes(before, after)).toEqual([]);
  });

  test('a deprecated operation keeps its promises until its sunset, and none from that day on', () => {
    const until = (sunset: string): RouteContract => ({
      ...putThing,
      deprecated: { since: '2026-01-01', sunset, successor: things },
    });
    for (const after of [undefined, body({ maxBytes: 1 })]) {
      expect(changes(until('2027-06-02'), after)).toHaveLength(1);
      expect(changes(until(today), after)).toEqual([]);
    }
    expect(changes(until('2027-06-02'), undefined)[0]).toContain('before its sunset on 2027-06-02');
    expect(changes(until('2027-07-01'), until('2027-06-30'))[0]).toContain('was announced for 2027-07-01');
    expect(changes(until('2027-07-01'), until('2027-07-02'))).toEqual([]);
    expect(changes(until('2027-07-01'), putThing)).toEqual([]);
  });

  function without(source: RouteContract, ...path: (string | number)[]): RouteContract {
    const copy = structuredClone({ ...source }) as unknown as Record<string, Record<string, unknown>>;
    const last = String(path.at(-1));
    if (path.length === 1) delete copy[last];
    else delete copy[String(path[0])]![last];
    return copy as unknown as RouteContract;
  }
  function body(over: Partial<NonNullable<RouteContract['body']>>): RouteContract {
    return { ...putThing, body: { ...putThing.body, ...over } };
  }
  function answer(over: { schema: TSchema; contentType?: string }): RouteContract {
    return { ...things, responses: { ...things.responses, 200: { description: 'Some.', ...over } } };
  }
  function shelf(maxLength: number): TObject {
    return Type.Object({ shelf: Type.String({ maxLength }) });
  }
});

describe('breaking changes of a schema', () => {
  const faults = (side: Side, before: TSchema, after: TSchema): string[] =>
    schemaChanges(comparable(before), comparable(after), side, 'it');
  const closed = { additionalProperties: false } as const;
  const one = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));
  const text = Type.String();
  const named = Type.Object({ name: text });

  /** Narrow, wide: a request may go from narrow to wide only, an answer from wide to narrow only. */
  const steps: readonly [string, TSchema, TSchema][] = [
    ['a type', text, Type.Unknown()],
    ['integers', Type.Integer(), Type.Number()],
    ['null', text, Type.Union([text, Type.Null()])],
    ['a variant', Type.Union([named, text]), Type.Union([named, Type.Number(), text])],
    ['a format', Type.String({ format: 'date' }), text],
    ['a pattern', Type.String({ pattern: '^a$' }), text],
    ['an alternative pattern', Type.String({ pattern: '^a$' }), Type.String({ pattern: '^a$|^b$' })],
    ['minimum', Type.Number({ minimum: 1 }), Type.Number({ minimum: 0 })],
    ['no minimum', Type.Number({ minimum: 1 }), Type.Number()],
    ['the minimum itself', Type.Number({ exclusiveMinimum: 0 }), Type.Number({ minimum: 0 })],
    ['minLength', Type.String({ minLength: 2 }), Type.String({ minLength: 1 })],
    ['minItems', Type.Array(text, { minItems: 1 }), Type.Array(text)],
    ['minProperties', Type.Object({}, { minProperties: 1 }), Type.Object({})],
    ['unique items', Type.Array(text, { uniqueItems: true }), Type.Array(text)],
    ['items', Type.Array(Type.Integer()), Type.Array(Type.Number())],
    ['a nested field', Type.Object({ a: named }), Type.Object({ a: Type.Partial(named) })],
    ['an optional field', named, Type.Partial(named)],
    ['values of a record', Type.Record(text, Type.Integer()), Type.Record(text, Type.Number())],
    [
      'other fields',
      Type.Object({}, { additionalProperties: Type.Integer() }),
      Type.Object({}, { additionalProperties: Type.Number() }),
    ],
    ['part of an intersection', Type.Intersect([named, Type.Object({})]), Type.Partial(named)],
  ];
  test.each(steps)('%s', (_name, narrow, wide) => {
    for (const schema of [narrow, wide])
      for (const side of ['request', 'answer'] as const) expect(faults(side, schema, schema)).toEqual([]);
    expect(faults('request', narrow, wide)).toEqual([]);
    expect(faults('request', wide, narrow)).toHaveLength(1);
    expect(faults('answer', wide, narrow)).toEqual([]);
    expect(faults('answer', narrow, wide)).toHaveLength(1);
  });

  /** Of requests alone: a server that answers less than it might breaks nobody. */
  const limits: readonly [string, TSchema, TSchema][] = [
    ['maximum', Type.Number({ maximum: 9 }), Type.Number({ maximum: 10 })],
    ['no maximum', Type.Number({ maximum: 9 }), Type.Number()],
    ['the maximum itself', Type.Number({ exclusiveMaximum: 9 }), Type.Number({ maximum: 9 })],
    ['maxLength', Type.String({ maxLength: 9 }), Type.String({ maxLength: 10 })],
    ['maxItems', Type.Array(text, { maxItems: 9 }), Type.Array(text)],
    ['maxProperties', Type.Object({}, { maxProperties: 9 }), Type.Object({})],
    ['other fields', Type.Object({ name: text }, closed), named],
  ];
  test.each(limits)('%s of a request', (_name, narrow, wide) => {
    expect(faults('request', narrow, wide)).toEqual([]);
    expect(faults('request', wide, narrow)).toHaveLength(1);
    expect([...faults('answer', wide, narrow), ...faults('answer', narrow, wide)]).toEqual([]);
  });

  test('a word may be added, but never disappears; a constant of an answer stays', () => {
    for (const side of ['request', 'answer'] as const) {
      expect(faults(side, one(['a', 'b']), one(['c', 'a', 'b']))).toEqual([]);
      expect(faults(side, one(['a', 'b']), one(['a']))).toEqual(['it has no "b" any more.']);
      expect(faults(side, one(['a', 'b']), one(['a', 'c']))).toEqual(['it has no "b" any more.']);
    }
    expect(faults('answer', one(['a']), one(['a', 'b']))).toEqual(['it was always "a".']);
    expect(faults('request', one(['a']), one(['a', 'b']))).toEqual([]);
    expect(faults('answer', one(['a']), text)).toHaveLength(1);
    expect(faults('request', text, one(['a']))).toEqual(['it accepts only "a".']);
  });

  test('fields: a request gets optional ones, an answer any; none disappears', () => {
    const more = Type.Object({ name: text, age: Type.Optional(Type.Integer()) }, closed);
    const needed = Type.Object({ name: text, age: Type.Integer() });
    expect(faults('request', Type.Object({ name: text }, closed), more)).toEqual([]);
    expect(faults('request', named, needed)).toEqual(['it/age is required now.']);
    expect(faults('answer', named, needed)).toEqual([]);
    expect(faults('request', more, Type.Object({ name: text }, closed))).toEqual([
      'it/age is not accepted any more.',
    ]);
    expect(faults('answer', needed, named)).toEqual(['it/age is not answered any more.']);
    expect(faults('answer', more, named)).toEqual(['it/age is not answered any more.']);
  });

  test('a default of a request stays', () => {
    const by = (value: string) => Type.String({ default: value });
    expect(faults('request', by('a'), by('b'))).toEqual(['it had the default "a".']);
    expect(faults('request', text, by('b'))).toEqual([]);
  });

  test('of several variants, the one of the same type is named', () => {
    const before = Type.Union([Type.Number(), Type.Object({ a: text, b: text })]);
    const after = Type.Union([Type.Number(), Type.Object({ a: text })]);
    expect(faults('request', before, after)).toEqual(['it/b is not accepted any more.']);
  });

  test('a keyword without a rule is refused, so that none is ignored', () => {
    expect(() => comparable({ type: 'object', dependentRequired: {} })).toThrow('dependentRequired');
    expect(() => comparable(Type.Tuple([text]))).toThrow('Items');
    expect(() => comparable({ allOf: [{ type: 'string' }] })).toThrow('intersections of objects');
  });
});

describe('the policy of deprecation', () => {
  const faults = (
    deprecated: Deprecation,
    over: Partial<RouteContract> = {},
    locked: ReadonlyMap<string, string> = new Map(),
  ): string[] => {
    const old: RouteContract = { ...putThing, ...over, deprecated };
    return deprecationFaults([old, things], '2027-01-01', locked).map((fault) =>
      fault.replace('PUT /v1/shelves/{shelf}/things: ', ''),
    );
  };
  const good = { since: '2027-01-01', sunset: '2028-01-01', successor: things };

  test('a whole term and a documented successor are accepted', () => {
    expect(sunsetDaysMin).toBe(365);
    expect(faults(good)).toEqual([]);
    expect(deprecationFaults([things, putThing], '2027-01-01', new Map())).toEqual([]);
  });

  test('a sunset a day too soon is refused', () => {
    expect(faults({ ...good, sunset: '2027-12-31' })).toEqual([
      'Its sunset is 364 days after the announcement; the policy says at least 365.',
    ]);
  });

  test('an announcement is not dated back, neither to before the lock nor against the lock', () => {
    const early = { ...good, since: '2026-12-31' };
    expect(faults(early)[0]).toContain('was not announced before 2027-01-01');
    const locked = (since: string) => new Map([['PUT /v1/shelves/{shelf}/things', since]]);
    expect(faults(early, {}, locked('2026-12-31'))).toEqual([]);
    expect(faults(early, {}, locked('2027-01-02'))).toHaveLength(1);
  });

  test('a day that does not exist is refused', () => {
    expect(faults({ ...good, sunset: '2028-02-30' })[0]).toContain('that is no day: "2028-02-30"');
    expect(faults({ ...good, since: '2027-1-1' })[0]).toContain('that is no day: "2027-1-1"');
  });

  test('a successor is documented, stays, and is there for the same callers with the same parameters', () => {
    const elsewhere = { ...things, operationId: 'other' };
    expect(faults({ ...good, successor: elsewhere })[0]).toContain('is not a documented operation');
    const ending: RouteContract = { ...things, deprecated: { ...good, successor: putThing } };
    const both = deprecationFaults([ending, putThing], '2027-01-01', new Map());
    expect(both).toEqual([]);
    const loop: RouteContract = { ...putThing, deprecated: { ...good, successor: ending } };
    expect(deprecationFaults([ending, loop], '2027-01-01', new Map()).join()).toContain('is deprecated, too');
    const narrow: RouteContract = { ...things, listener: 'internal', scopes: ['operator'] };
    const list = [{ ...putThing, deprecated: { ...good, successor: narrow } }, narrow];
    expect(deprecationFaults(list, '2027-01-01', new Map())).toEqual([
      expect.stringContaining('served by the internal listener only'),
      expect.stringContaining('does not admit everybody'),
    ]);
    const other = { path: '/v1/things' };
    expect(faults(good, other).join()).toContain('has no parameter shelf');
  });
});

describe('the lock', () => {
  const [first, second] = [things, putThing].map(operationShape) as [OperationShape, OperationShape];

  test('a new release makes everything released; before it, new operations may still change', () => {
    const lock = { release: '1.0.0', written: '2027-01-01', operations: [{ release: '1.0.0', ...first }] };
    const between = nextHttpLock(lock, [first, second], '1.0.0', '2027-02-01');
    expect(between.operations.map(({ release }) => release)).toEqual(['1.0.0', 'unreleased']);
    const next = nextHttpLock(between, [first, second], '1.1.0', '2027-03-01');
    expect(next).toMatchObject({ release: '1.1.0', written: '2027-03-01' });
    expect(next.operations.map(({ release }) => release)).toEqual(['1.0.0', '1.1.0']);
  });

  test('what was written is read', () => {
    const lock = { release: '1.0.0', written: '2027-01-01', operations: [{ release: '1.0.0', ...first }] };
    expect(readHttpLock(httpLockText(lock))).toEqual(lock);
  });
});
