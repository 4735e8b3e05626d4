import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parameterValidator, validator } from '#platform/http/validator.js';
import type { RouteContract } from '#schemas/http/route-contract.js';

const folder = new URL('../../../schemas/http/', import.meta.url);
const isContract = (value: unknown): value is RouteContract =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'path' in value;

/** A program compiles a schema when it is first asked for it; a wrong one must not wait for that. */
test('every schema of every operation compiles', async () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, folder).href) as Promise<Record<string, unknown>>),
  );
  const exported = modules.flatMap((module) => Object.values(module));
  const listed = exported.flatMap((value) =>
    typeof value === 'object' && value !== null && !isContract(value) ? Object.values(value) : [],
  );
  const contracts = [...new Set([...exported, ...listed].filter(isContract))];
  expect(contracts.length).toBeGreaterThan(100);
  for (const { operationId, params, query, body } of contracts) {
    const checks = [
      params && parameterValidator(params, '/path'),
      query && parameterValidator(query, '/query'),
      body?.schema && validator(body.schema),
    ];
    for (const check of checks) expect(() => check?.({}), operationId).not.toThrow();
  }
});
