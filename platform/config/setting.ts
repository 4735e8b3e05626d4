import type { Static, TSchema } from 'typebox';

/** One key of the environment. */
export interface Setting<S extends TSchema = TSchema> {
  readonly schema: S;
  /** As written in the environment. If absent, the setting is optional. */
  readonly fallback?: string;
  readonly doc: string;
  /** Never printed. */
  readonly secret?: boolean;
}

export type Settings = Readonly<Record<string, Setting>>;

/** A setting with a fallback always has a value. */
export type ConfigOf<T extends Settings> = {
  readonly [K in keyof T]: T[K] extends { readonly fallback: string }
    ? Static<T[K]['schema']>
    : Static<T[K]['schema']> | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;
