import { parseEdgeId } from '#routing-engine/network/stable-edge-id.js';

/** A hint identifies the road of a waypoint, so that a later query starts on the same one. */
export const hint = {
  write: (edgeId: string): string => Buffer.from(edgeId).toString('base64url'),
  /** The stable id of an edge; undefined for a foreign hint. */
  read(hint: string): string | undefined {
    const text = Buffer.from(hint, 'base64url').toString();
    return parseEdgeId(text) === undefined ? undefined : text;
  },
};
