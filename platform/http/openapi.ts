import { Type } from 'typebox';
import { familyOf } from '#schemas/http/metered-families.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { Problem } from '#schemas/http/shapes.js';
import { type Route, route } from './http-types.js';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Whether operations of customers take an API key: not at all, also, or not without one or a token. */
export type ApiKeys = 'off' | 'optional' | 'required';

type Json = Readonly<Record<string, unknown>>;

/** Of every answer of a deprecated operation. */
const deprecationHeaders = {
  Deprecation: header('When the deprecation was announced: @ and seconds since 1970 (RFC 9745).'),
  Sunset: header('From when on the operation may be removed: an HTTP date (RFC 8594).'),
  Link: header('`rel="successor-version"`: what to call instead; `rel="deprecation"`: the policy.'),
};

/** OpenAPI 3.1 of exactly these operations: what is served and what is described are the same values. */
export function openApiDocument(
  info: ApiInfo,
  contracts: readonly RouteContract[],
  apiKeys: ApiKeys = 'off',
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const contract of contracts) {
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: operation(contract, apiKeys),
    };
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: [...new Set(contracts.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        ...(apiKeys === 'off' ? {} : { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } }),
      },
    },
  };
}

/** Serves the document of the given routes, and itself. */
export function openApiRoute(info: ApiInfo, routes: readonly Route[], apiKeys: ApiKeys = 'off'): Route {
  const contract = {
    operationId: 'getOpenApi',
    method: 'GET',
    path: '/v1/openapi.json',
    listener: 'both',
    tag: 'operations',
    summary: 'This description of the API (OpenAPI 3.1)',
    scopes: 'open',
    responses: { 200: { description: 'OpenAPI document.', schema: Type.Unknown() } },
  } as const satisfies RouteContract;
  const document = openApiDocument(info, [...routes.map((known) => known.contract), contract], apiKeys);
  const headers = { 'cache-control': 'public, max-age=60', vary: 'x-forwarded-prefix' };
  return route(contract, (request) => {
    const path = new URL(request.baseUrl() ?? 'http://localhost').pathname;
    return { status: 200, body: { ...document, servers: [{ url: path }] }, headers };
  });
}

function operation(contract: RouteContract, apiKeys: ApiKeys): Json {
  const { params, query, body } = contract;
  const parameters = [...parametersOf('path', params), ...parametersOf('query', query)];
  return {
    operationId: contract.operationId,
    summary: contract.summary,
    ...descriptionOf(contract),
    tags: [contract.tag],
    ...(contract.deprecated === undefined ? {} : { deprecated: true }),
    security: securityOf(contract, apiKeys),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: responses(contract, apiKeys),
  };
}

function header(description: string): Json {
  return { description, schema: { type: 'string' } };
}

function descriptionOf({ description, deprecated }: RouteContract): Json {
  if (deprecated === undefined) return description === undefined ? {} : { description };
  const { since, sunset, successor } = deprecated;
  const notice =
    `Deprecated since ${since}; it may be removed from ${sunset} on. ` +
    `Use \`${successor.method} ${successor.path}\`.`;
  return { description: description === undefined ? notice : `${description}\n\n${notice}` };
}

/** Each entry is enough by itself. */
function securityOf(contract: RouteContract, apiKeys: ApiKeys): readonly Json[] {
  const { scopes } = contract;
  const key = { apiKey: [] };
  if (scopes === 'apiKey') return [key];
  const takesKey = apiKeys !== 'off' && familyOf(contract) !== undefined;
  if (scopes !== 'open') return [{ bearer: [...scopes] }, ...(takesKey ? [key] : [])];
  if (!takesKey) return [{}];
  return apiKeys === 'required' ? [key, { bearer: [] }] : [{}, key];
}

function parametersOf(place: 'path' | 'query', schema: RouteContract['params']): Json[] {
  if (schema === undefined) return [];
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBody({
  schema,
  describedBy,
  contentTypes,
  maxBytes,
}: NonNullable<RouteContract['body']>): Json {
  const described = schema ?? describedBy;
  return {
    description: `At most ${maxBytes} bytes, counted after decompression; gzip is accepted.`,
    required: schema !== undefined,
    content: Object.fromEntries(
      contentTypes.map((type) => [type, described === undefined ? {} : { schema: described }]),
    ),
  };
}

/** Every operation can also be refused by the server itself, before a handler runs. */
function responses(contract: RouteContract, apiKeys: ApiKeys): Json {
  const { responses: declared, body, params, query } = contract;
  const isOpen = JSON.stringify(securityOf(contract, apiKeys)) === '[{}]';
  const refusals: Record<string, string> = {
    ...(body === undefined && query === undefined ? {} : { 400: 'The request is malformed or invalid.' }),
    ...(isOpen ? {} : { 401: 'No valid token or API key.', 403: 'The token or key does not allow this.' }),
    ...(params === undefined ? {} : { 404: 'Nothing exists at this path.' }),
    ...(body === undefined
      ? {}
      : { 413: 'The body is too large.', 415: 'The content type is not supported.' }),
    429: 'Too many requests; see Retry-After.',
    503: 'Busy or not ready; see Retry-After.',
  };
  const problemContent = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
  const all: Record<string, Json> = {};
  const headers = contract.deprecated === undefined ? {} : { headers: deprecationHeaders };
  for (const [status, description] of Object.entries(refusals)) {
    all[status] = { description, ...headers, content: problemContent };
  }
  for (const [status, { description, schema, contentType }] of Object.entries(declared)) {
    const type = contentType ?? (schema === undefined ? undefined : 'application/json');
    const own = type === undefined ? {} : { [type]: schema === undefined ? {} : { schema } };
    // An operation may have its own error format; errors of the server itself are still problem documents.
    const content = Number(status) < 400 ? own : { ...own, ...problemContent };
    all[status] = { description, ...headers, ...(Object.keys(content).length === 0 ? {} : { content }) };
  }
  return all;
}
