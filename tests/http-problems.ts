import { Value } from 'typebox/value';
import { expect } from 'vitest';
import type { Sql } from '#platform/sql/sql.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { Problem } from '#schemas/http/shapes.js';

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

function askedOf({ contracts, tokenOf }: ProblemsOf) {
  return contracts.map((contract) => {
    const { scopes } = contract;
    const token = typeof scopes === 'string' ? undefined : tokenOf(scopes[0]!);
    const listener = contract.listener === 'internal' ? ('internal' as const) : ('public' as const);
    const path = contract.path.replaceAll(/\{\w+\}/g, 'none');
    return { contract, path, listener, with: token === undefined ? { listener } : { listener, token } };
  });
}

/**
 * Every operation refuses what it must, each time as a problem that names nothing of the inside. Resolves
 * with the requests that were not refused: those for what exists, with a parameter that is ignored.
 */
export async function everyRefusalIsAProblem(of: ProblemsOf): Promise<readonly string[]> {
  const accepted: string[] = [];
  let refused = 0;
  for (const { contract, path, listener, with: allowed } of askedOf(of)) {
    const answers = await Promise.all([
      of.call(contract.method, `${path}?surprise=1`, allowed),
      of.call(contract.method, path, { listener }),
      of.call('PATCH', path, { listener }),
      ...('body' in contract && 'token' in allowed
        ? ['{', '{"x":1}', '[]'].map((body) => of.call(contract.method, path, { ...allowed, body }))
        : []),
    ]);
    for (const [at, { status, json }] of answers.entries()) {
      if (status < 400) {
        accepted.push(at === 0 ? `${contract.method} with a parameter` : contract.operationId);
        continue;
      }
      refused += 1;
      expect(status, contract.operationId).toBeLessThan(500);
      expectProblem(contract.operationId, status, json);
    }
  }
  expect(refused).toBeGreaterThan(of.contracts.length);
  return accepted;
}

/** While no table has its name, what reads the database fails as a problem that says nothing of tables. */
export async function everyFailureIsAProblem(of: ProblemsOf, sql: Sql): Promise<void> {
  await rename(sql, `t, 'hidden_' || t`);
  let failed = 0;
  try {
    for (const { contract, path, with: allowed } of askedOf(of)) {
      // What has a body is refused for it first.
      if ('body' in contract) continue;
      const { status, json } = await of.call(contract.method, path, allowed);
      if (status < 500) continue;
      failed += 1;
      expectProblem(contract.operationId, status, json);
    }
  } finally {
    await rename(sql, `t, substr(t, length('hidden_') + 1)`);
  }
  expect(failed).toBeGreaterThan(3);
}

const rename = (sql: Sql, names: string) =>
  sql.query(`DO $$
    DECLARE t text;
    BEGIN
      FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO %I', ${names});
      END LOOP;
    END $$`);
