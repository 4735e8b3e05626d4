import type { TObject, TSchema } from 'typebox';

export const scopes = [
  'driver',
  'customer',
  'operator',
  'desk',
  'finance',
  'payouts',
  'service',
  'merchant',
] as const;
export type Scope = (typeof scopes)[number];

export interface ResponseContract {
  readonly description: string;
  readonly schema?: TSchema;
  /** Default with a schema: `application/json`. */
  readonly contentType?: string;
}

/** Days from the announcement of a deprecation to the day on which the operation may be removed. */
export const sunsetDaysMin = 365;

/** The end of an operation is announced; docs/api-versions.md has the policy, which CI checks. */
export interface Deprecation {
  /** Day of the announcement, `YYYY-MM-DD`, UTC. */
  readonly since: string;
  /** First day without a promise that the operation answers, at least `sunsetDaysMin` after `since`. */
  readonly sunset: string;
  /** What clients call instead. Its path has no parameter that this operation lacks. */
  readonly successor: RouteContract;
}

/**
 * One HTTP operation as a value: the server validates with it and OpenAPI is derived from it, so the two
 * always agree. Paths hold parameters in braces: `/v1/users/{id}/locations`.
 */
export interface RouteContract {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The public listener, the staff one, or both. */
  readonly listener: 'public' | 'internal' | 'both';
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Any of these scopes is enough; `open` needs no token, `apiKey` needs the API key of a customer. */
  readonly scopes: readonly Scope[] | 'open' | 'apiKey';
  readonly params?: TObject;
  readonly query?: TObject;
  /** Absent: a body is refused. `schema` absent: the handler gets the raw bytes. */
  readonly body?: {
    readonly maxBytes: number;
    readonly contentTypes: readonly string[];
    readonly schema?: TSchema;
    /**
     * Describes a body that the handler reads from the raw bytes; for OpenAPI alone, nothing is checked
     * against it.
     */
    readonly describedBy?: TSchema;
    /** The handler reads the body while it arrives. It has no schema and is not compressed. */
    readonly streamed?: true;
  };
  readonly responses: Readonly<Record<number, ResponseContract>>;
  /** Every answer of the operation then says so in its header fields. */
  readonly deprecated?: Deprecation;
}
