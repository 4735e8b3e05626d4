import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { routeContracts } from '#schemas/http/routes.js';
import { Problem } from '#schemas/http/shapes.js';
import { proves } from '#tools/acceptance/proves.js';
import { breakingChanges } from '#tools/http-contracts/breaking-changes.js';
import { deprecationFaults } from '#tools/http-contracts/deprecation-faults.js';
import { httpLockText, nextHttpLock, readHttpLock, unreleased } from '#tools/http-contracts/http-lock.js';
import { operationShape } from '#tools/http-contracts/operation-shape.js';

const lockFile = fileURLToPath(new URL('../../schemas/http.lock.ndjson', import.meta.url));
const changelog = readFileSync(fileURLToPath(new URL('../../CHANGELOG.md', import.meta.url)), 'utf8');
const today = new Date().toISOString().slice(0, 10);
const way = 'Keep what it promises, or add an operation and deprecate this one: docs/api-versions.md.';

/** Errors of all operations have one layout, which is compared as the answer of an operation of its own. */
const problems = {
  operationId: 'problem',
  method: 'GET',
  path: '/problems',
  listener: 'both',
  tag: 'errors',
  summary: '',
  scopes: 'open',
  responses: { 400: { description: '', schema: Problem, contentType: 'application/problem+json' } },
} as const satisfies RouteContract;
const current = [problems, ...routeContracts].map(operationShape);

/**
 * `schemas/http.lock.ndjson` is what clients rely on. `UPDATE_HTTP_LOCK=1 npx vitest run
 * tests/contracts/http-compatibility` writes it again: with a release, or when an operation changes that no
 * release had. It refuses to drop a promise of a release.
 */
describe('HTTP contracts', () => {
  const lock = readHttpLock(readFileSync(lockFile, 'utf8'));

  proves('H-150', {
    asked: 'removing a field from a response fails CI',
    shown: 'no operation, field, word or limit of the lock is lost before the sunset of the policy',
    control: {
      in: 'schemas/http/hotels.ts',
      change: 'Type.Object({ hotelID: Type.String(), ...hotelFields, country }, closed)',
      to: 'Type.Object({ hotelID: Type.String(), ...hotelFields }, closed)',
    },
  });
  it('H-150: nothing that clients rely on was removed or narrowed', () => {
    const updates = process.env['UPDATE_HTTP_LOCK'] === '1';
    const bound = lock.operations.filter(({ release }) => !updates || release !== unreleased);
    expect(breakingChanges(bound, current, today), way).toEqual([]);
    if (!updates) return;
    writeFileSync(lockFile, httpLockText(nextHttpLock(lock, current, newestRelease(), today)));
  });

  it('the lock is of the last release in CHANGELOG.md, and is whole', () => {
    // As the test above has perhaps written it.
    const text = readFileSync(lockFile, 'utf8');
    const { release, operations } = readHttpLock(text);
    expect(newestRelease(), 'UPDATE_HTTP_LOCK=1 writes it').toBe(release);
    expect(httpLockText(readHttpLock(text))).toBe(text);
    expect(operations.length).toBeGreaterThan(200);
  });

  it('H-150: every deprecation has its term and a documented successor', () => {
    const announced = new Map(
      lock.operations.flatMap(({ operation, deprecated }) =>
        deprecated === undefined ? [] : [[operation, deprecated.since] as const],
      ),
    );
    expect(deprecationFaults(routeContracts, lock.written, announced)).toEqual([]);
  });
});

function newestRelease(): string {
  return /^## (\d+\.\d+\.\d+) /m.exec(changelog)![1]!;
}
