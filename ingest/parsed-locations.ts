import type { LocationPoints } from '#schemas/location.js';

export const protobufType = 'application/x-protobuf';

export interface RejectedPoint {
  readonly index: number;
  readonly reason: string;
}

export type ParsedLocations =
  | {
      readonly outcome: 'ok';
      readonly points: LocationPoints;
      readonly batchId: string | undefined;
      /** Points whose timestamp an earlier point of the batch already has. */
      readonly duplicate: number;
      readonly rejected: readonly RejectedPoint[];
    }
  | { readonly outcome: 'too-many'; readonly count: number }
  | { readonly outcome: 'malformed'; readonly pointer: string; readonly reason: string };

export const malformed = (pointer: string, reason: string): ParsedLocations => ({
  outcome: 'malformed',
  pointer,
  reason,
});
