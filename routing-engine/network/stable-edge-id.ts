import type { EdgeId } from '#schemas/units.js';

/** The parts of a stable edge id: the piece of `way` from one crossing to the next, in one direction. */
export interface EdgeIdParts {
  readonly way: number;
  readonly from: number;
  readonly to: number;
  /** Against the drawn direction of the way. */
  readonly against: boolean;
  /** Distinguishes pieces where a way runs more than once between the same two nodes. */
  readonly ordinal: number;
}

/** `way:from-to` and `+` or `-`, then `.1`, `.2`, … for a repeated piece. */
export const formatEdgeId = ({ way, from, to, against, ordinal }: EdgeIdParts): EdgeId =>
  `${way}:${from}-${to}${against ? '-' : '+'}${ordinal === 0 ? '' : `.${ordinal}`}` as EdgeId;

export function parseEdgeId(text: string): EdgeIdParts | undefined {
  const match = /^(-?\d{1,15}):(-?\d{1,15})-(-?\d{1,15})([+-])(?:\.(\d{1,3}))?$/.exec(text);
  if (match === null) return undefined;
  const [, way, from, to, sign, ordinal] = match;
  return {
    way: Number(way),
    from: Number(from),
    to: Number(to),
    against: sign === '-',
    ordinal: Number(ordinal ?? 0),
  };
}
