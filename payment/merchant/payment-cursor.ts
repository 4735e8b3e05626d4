/** A place in a list by time: the time of the last row in microseconds, and its id. */
export interface PaymentCursor {
  readonly createdUs: bigint;
  readonly id: string;
}

export const writeCursor = ({ createdUs, id }: PaymentCursor): string =>
  Buffer.from(`${createdUs}:${id}`).toString('base64url');

/** Undefined for a text that `writeCursor` does not write. */
export function readCursor(text: string): PaymentCursor | undefined {
  const parts = /^(\d{1,18}):([A-Za-z0-9._:/-]{1,128})$/.exec(Buffer.from(text, 'base64url').toString());
  return parts === null ? undefined : { createdUs: BigInt(parts[1]!), id: parts[2]! };
}
