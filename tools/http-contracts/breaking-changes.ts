import type { OperationShape } from './operation-shape.js';
import { schemaChanges } from './schema-changes.js';

/**
 * How `after` breaks clients of `before`, as sentences. An operation whose announced sunset is over promises
 * nothing any more.
 *
 * @param today `YYYY-MM-DD`, UTC
 */
export function breakingChanges(
  before: readonly OperationShape[],
  after: readonly OperationShape[],
  today: string,
): string[] {
  const current = new Map(after.map((shape) => [shape.operation, shape]));
  return before.flatMap((was) => {
    if (was.deprecated !== undefined && was.deprecated.sunset <= today) return [];
    const is = current.get(was.operation);
    return is === undefined ? [removal(was)] : operationChanges(was, is);
  });
}

const removal = ({ operation, deprecated }: OperationShape): string =>
  deprecated === undefined
    ? `${operation} was removed without a deprecation.`
    : `${operation} was removed before its sunset on ${deprecated.sunset}.`;

function operationChanges(before: OperationShape, after: OperationShape): string[] {
  return [
    ...(before.operationId === after.operationId
      ? []
      : [
          `The operationId ${before.operationId} became ${after.operationId}; clients are generated from it.`,
        ]),
    ...before.listeners
      .filter((listener) => !after.listeners.includes(listener))
      .map((listener) => `It is not served by the ${listener} listener any more.`),
    ...scopeChanges(before, after),
    ...parameterChanges(before, after),
    ...bodyChanges(before, after),
    ...answerChanges(before, after),
    ...deprecationChanges(before, after),
  ].map((fault) => `${before.operation}: ${fault}`);
}

function scopeChanges({ scopes: before }: OperationShape, { scopes: after }: OperationShape): string[] {
  if (after === 'open' || before === after) return [];
  if (typeof before === 'string' || typeof after === 'string')
    return [`It asked for ${text(before)} and asks for ${text(after)}.`];
  const gone = before.filter((scope) => !after.includes(scope));
  return gone.length === 0 ? [] : [`It does not accept the scope ${gone.join(', ')} any more.`];
}

const text = (scopes: OperationShape['scopes']): string =>
  typeof scopes === 'string' ? scopes : `one of ${scopes.join(', ')}`;

/** Clients of an operation without a query send none; a server without one ignores what it gets. */
const nothing = { type: 'object', additionalProperties: false } as const;
const anything = { type: 'object' } as const;

function parameterChanges(before: OperationShape, after: OperationShape): string[] {
  return (['params', 'query'] as const).flatMap((place) =>
    schemaChanges(before[place] ?? nothing, after[place] ?? anything, 'request', place),
  );
}

function bodyChanges({ body: before }: OperationShape, { body: after }: OperationShape): string[] {
  if (before === undefined) return after?.required === true ? ['A body is required now.'] : [];
  if (after === undefined) return ['A body is not accepted any more.'];
  const gone = before.contentTypes.filter((type) => !after.contentTypes.includes(type));
  return [
    ...(after.maxBytes < before.maxBytes
      ? [`The body had at most ${before.maxBytes} bytes and has at most ${after.maxBytes}.`]
      : []),
    ...(gone.length === 0 ? [] : [`A body of ${gone.join(', ')} is not accepted any more.`]),
    ...(after.required && !before.required ? ['The body is required, or checked, now.'] : []),
    ...(before.schema === undefined || after.schema === undefined
      ? []
      : schemaChanges(before.schema, after.schema, 'request', 'body')),
  ];
}

function answerChanges({ answers: before }: OperationShape, { answers: after }: OperationShape): string[] {
  const faults = Object.entries(before).flatMap(([status, was]) => {
    const is = after[status];
    if (is === undefined) return [`It does not answer ${status} as described any more.`];
    if (was.contentType !== is.contentType)
      return [`The answer ${status} was ${was.contentType || 'empty'} and is ${is.contentType || 'empty'}.`];
    if (was.schema === undefined) return [];
    return schemaChanges(was.schema, is.schema ?? {}, 'answer', `answer ${status}`);
  });
  const successes = Object.keys(after).filter((status) => status.startsWith('2'));
  const added = successes.filter((status) => before[status] === undefined);
  return [...faults, ...added.map((status) => `It may succeed with ${status}, which clients do not know.`)];
}

function deprecationChanges({ deprecated: before }: OperationShape, { deprecated: after }: OperationShape) {
  if (before === undefined || after === undefined) return [];
  return after.sunset < before.sunset
    ? [`Its sunset was announced for ${before.sunset} and is on ${after.sunset}.`]
    : [];
}
