export type Answer<Value> =
  | { readonly ok: true; readonly value: Value; readonly repeated: boolean }
  | { readonly ok: false; readonly status: number; readonly code: string };

export const done = <Value>(value: Value, repeated = false): Answer<Value> => ({ ok: true, value, repeated });
export const refuse = (status: number, code: string): Answer<never> => ({ ok: false, status, code });
