import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import type { Sql } from '#platform/sql/sql.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { Problem } from '#schemas/http/shapes.js';
import { validBody } from './valid-body.js';

interface Asked {
  readonly listener: 'public' | 'internal';
  readonly token?: string;
  readonly body?: unknown;
}

export interface ProblemsOf {
  readonly contracts: readonly RouteContract[];
  /** A body that is a string is sent unchanged. */
  readonly call: (
    method: string,
    path: string,
    asked: Asked,
  ) => Promise<{ readonly status: number; readonly json: unknown }>;
  /** Undefined where a token is not needed. */
  readonly tokenOf: (scope: string) => string | undefined;
  /** Input of operations that refuse a request without it, by their name. */
  readonly valid?: Readonly<Record<string, { readonly query?: string; readonly body?: unknown }>>;
}

const internals = new RegExp(
  'SELECT|INSERT|UPDATE |relation|postgres|node_modules|\\.[jt]s:|at \\w+ \\(|' +
    'localhost|\\d+(\\.\\d+){3}|\\.sock|ECONN',
);

/** The body of an error has the one schema, says its own status, and names nothing of the inside. */
export function expectProblem(asked: string, status: number, json: unknown): void {
  expect(Value.Check(Problem, json), `${asked} ${status} ${JSON.stringify(json)}`).toBe(true);
  expect((json as Problem).status).toBe(status);
  expect(JSON.stringify(json)).not.toMatch(internals);
}

/** Asks, and expects of a refusal, whatever its reason, that it is a problem. */
export async function fetchOrProblem(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (answer.status < 400) return answer;
  const asked = `${init.method ?? 'GET'} ${url}`;
  expect([asked, answer.headers.get('content-type')]).toEqual([asked, 'application/problem+json']);
  expectProblem(asked, answer.status, await answer.clone().json());
  return answer;
}

function askedOf({ contracts, tokenOf }: ProblemsOf, name: string) {
  return contracts.map((contract) => {
    const { scopes } = contract;
    const token = typeof scopes === 'string' ? undefined : tokenOf(scopes[0]!);
    const listener = contract.listener === 'internal' ? ('internal' as const) : ('public' as const);
    const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => {
      const schema: TSchema | undefined = contract.params?.properties[param];
      const isName = schema === undefined || ('type' in schema && schema.type === 'string');
      return isName ? name : String(validBody(schema));
    });
    return { contract, path, listener, with: token === undefined ? { listener } : { listener, token } };
  });
}

const isClosed = (schema: object | undefined): boolean =>
  schema !== undefined && 'additionalProperties' in schema && schema.additionalProperties === false;

/** Every operation refuses what it must, each time as a problem that names nothing of the inside. */
export async function everyRefusalIsAProblem(of: ProblemsOf): Promise<void> {
  for (const { contract, path, listener, with: allowed } of askedOf(of, 'none')) {
    // Nothing is wrong with it but the name of what it is about, which is of nothing.
    const { query = '', body = bodyOf(contract) } = of.valid?.[contract.operationId] ?? {};
    const ofNothing = await of.call(contract.method, path + query, { ...allowed, body });
    if (ofNothing.status >= 400) {
      expect(ofNothing.status, contract.operationId).toBeLessThan(500);
      expectProblem(contract.operationId, ofNothing.status, ofNothing.json);
    }
    const answers = await Promise.all([
      of.call(contract.method, path, { listener }),
      of.call(contract.method, `${path}?surprise=1`, allowed),
      of.call('PATCH', path, { listener }),
      ...('body' in contract
        ? ['{', '{"x":1}', '[]'].map((body) => of.call(contract.method, path, { ...allowed, body }))
        : []),
    ]);
    for (const [at, { status, json }] of answers.entries()) {
      // What needs no token may succeed without one, and what allows any parameter with an unknown one.
      const mayBe = at === 0 ? !('token' in allowed) : at === 1 && !isClosed(contract.query);
      if (mayBe && status < 400) continue;
      expect(Math.floor(status / 100), `${contract.operationId} ${at} ${status}`).toBe(4);
      expectProblem(contract.operationId, status, json);
    }
  }
}

/**
 * While no table has its name, what reads the database fails as a problem that says nothing of tables.
 * Each operation with a body gets one that its schema allows. Returns the operations that failed.
 */
export async function everyFailureIsAProblem(of: ProblemsOf, sql: Sql): Promise<readonly string[]> {
  await rename(sql, `t, 'hidden_' || t`);
  const failed: string[] = [];
  try {
    // Another name, because a cache may know that the first one is of nothing.
    for (const { contract, path, with: allowed } of askedOf(of, 'absent')) {
      const { query = '', body = bodyOf(contract) } = of.valid?.[contract.operationId] ?? {};
      const { status, json } = await of.call(contract.method, path + query, { ...allowed, body });
      if (status < 500) continue;
      failed.push(contract.operationId);
      expectProblem(contract.operationId, status, json);
    }
  } finally {
    await rename(sql, `t, substr(t, length('hidden_') + 1)`);
  }
  expect(failed.length).toBeGreaterThan(3);
  return failed;
}

function bodyOf({ body }: RouteContract): unknown {
  const schema = body?.schema ?? body?.describedBy;
  return schema === undefined ? undefined : validBody(schema);
}

const rename = (sql: Sql, names: string) =>
  sql.query(`DO $$
    DECLARE t text;
    BEGIN
      FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO %I', ${names});
      END LOOP;
    END $$`);
