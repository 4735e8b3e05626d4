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
}
