import type { HttpAnswer } from '#platform/http/http-types.js';

/** What OSRM's services answer instead of `Ok`. */
export type OsrmCode =
  | 'InvalidOptions'
  | 'InvalidQuery'
  | 'InvalidValue'
  | 'NoMatch'
  | 'NoRoute'
  | 'NoSegment'
  | 'NoTrips'
  | 'NotImplemented'
  | 'TooBig';

export interface OsrmRefusal {
  readonly code: OsrmCode;
  /** One sentence. */
  readonly message: string;
}

export const isRefusal = (each: object): each is OsrmRefusal => 'code' in each;

export const refused = ({ code, message }: OsrmRefusal): HttpAnswer => ({
  status: 400,
  body: { code, message },
});
