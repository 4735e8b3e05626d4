import type { RouteContract } from '#schemas/http/route-contract.js';
import { comparable, type JsonSchema } from './json-schema.js';

/** What clients rely on of one operation, as JSON. */
export interface OperationShape {
  /** Identity: method and path. */
  readonly operation: string;
  readonly operationId: string;
  readonly listeners: readonly string[];
  readonly scopes: RouteContract['scopes'];
  readonly params?: JsonSchema;
  readonly query?: JsonSchema;
  readonly body?: {
    readonly maxBytes: number;
    readonly contentTypes: readonly string[];
    /** Whether a request without a body is refused. */
    readonly required: boolean;
    readonly schema?: JsonSchema;
  };
  /** By status: successes, and errors that are no problem documents. */
  readonly answers: Readonly<Record<string, { readonly contentType: string; readonly schema?: JsonSchema }>>;
  readonly deprecated?: { readonly since: string; readonly sunset: string; readonly successor: string };
}

export const operationOf = ({ method, path }: Pick<RouteContract, 'method' | 'path'>): string =>
  `${method} ${path}`;

export function operationShape(contract: RouteContract): OperationShape {
  const { operationId, listener, scopes, params, query, body, deprecated } = contract;
  return {
    operation: operationOf(contract),
    operationId,
    listeners: listener === 'both' ? ['public', 'internal'] : [listener],
    scopes,
    ...(params === undefined ? {} : { params: comparable(params) }),
    ...(query === undefined ? {} : { query: comparable(query) }),
    ...(body === undefined ? {} : { body: bodyShape(body) }),
    answers: answerShapes(contract),
    ...(deprecated === undefined
      ? {}
      : { deprecated: { ...deprecated, successor: operationOf(deprecated.successor) } }),
  };
}

function bodyShape(body: NonNullable<RouteContract['body']>): NonNullable<OperationShape['body']> {
  const { maxBytes, contentTypes, schema, describedBy } = body;
  const described = schema ?? describedBy;
  return {
    maxBytes,
    contentTypes,
    required: schema !== undefined,
    ...(described === undefined ? {} : { schema: comparable(described) }),
  };
}

function answerShapes({ responses }: RouteContract): OperationShape['answers'] {
  const answers: Record<string, { contentType: string; schema?: JsonSchema }> = {};
  for (const [status, { schema, contentType }] of Object.entries(responses)) {
    if (Number(status) >= 400 && schema === undefined) continue;
    answers[status] = {
      contentType: contentType ?? (schema === undefined ? '' : 'application/json'),
      ...(schema === undefined ? {} : { schema: comparable(schema) }),
    };
  }
  return answers;
}
