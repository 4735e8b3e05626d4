import { type TLiteral, type TUnion, Type } from 'typebox';

type Literals<Values extends readonly string[]> = {
  -readonly [Index in keyof Values]: TLiteral<Values[Index]>;
};

/** One of these words. The tuple's types are kept, which `Type.Union(values.map(…))` would lose. */
export const oneOf = <const Values extends readonly string[]>(values: Values): TUnion<Literals<Values>> =>
  Type.Union(values.map((value) => Type.Literal(value))) as unknown as TUnion<Literals<Values>>;
