import { edgeFlag } from '#routing-engine/network/edge-flags.js';

/**
 * An edge owns its road piece when it runs along the drawn direction, or when no edge does: its cell stores
 * the shape for both directions.
 */
export const ownsPiece = (flags: number, reverse: number): boolean =>
  (flags & edgeFlag.copy) === 0 && ((flags & edgeFlag.against) === 0 || reverse < 0);
