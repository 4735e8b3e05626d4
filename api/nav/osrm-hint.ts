import { parseEdgeId } from '#routing-engine/network/stable-edge-id.js';

/** A hint names the road that a waypoint lies on, so that a later question begins on the same one. */
export const osrmHint = {
  write: (edgeId: string): string => Buffer.from(edgeId).toString('base64url'),
  /** The stable id of an edge; undefined when it is no hint of ours. */
  read(hint: string): string | undefined {
    const text = Buffer.from(hint, 'base64url').toString();
    return parseEdgeId(text) === undefined ? undefined : text;
  },
};
