/** A JSON Schema as contracts use it: without texts for people, and a union of words as `enum`. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

/** Keywords that are compared as they are. */
const kept = new Set([
  ...['type', 'enum', 'required', 'format', 'pattern', 'default', 'uniqueItems'],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'],
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
]);
const forPeople = new Set(['description', 'examples', 'title']);

/**
 * The comparable part of a schema. Throws for a keyword that no rule of `schema-changes.ts` covers, so that
 * none is ignored.
 */
export function comparable(schema: object): JsonSchema {
  const source = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (forPeople.has(keyword)) continue;
    if (kept.has(keyword)) result[keyword] = value;
    else if (keyword === 'const') result['enum'] = [value];
    else if (keyword === 'properties' || keyword === 'patternProperties')
      result[keyword] = mapped(value as Record<string, object>);
    else if (keyword === 'items' && !Array.isArray(value)) result[keyword] = of(value);
    else if (keyword === 'additionalProperties')
      result[keyword] = typeof value === 'boolean' ? value : of(value);
    else if (keyword === 'anyOf') Object.assign(result, union((value as object[]).map(comparable)));
    else if (keyword === 'allOf') Object.assign(result, intersection((value as object[]).map(comparable)));
    else throw new Error(`The comparison of HTTP contracts does not know the keyword ${keyword}.`);
  }
  return result;
}

const of = (value: unknown): JsonSchema => comparable(value as object);
const mapped = (schemas: Record<string, object>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, comparable(schema)]));

/** All words of one type in one `enum`; unions of unions are one union. */
function union(variants: readonly JsonSchema[]): JsonSchema {
  const flat = variants.flatMap((variant) => variant.anyOf ?? [variant]);
  const isWords = (variant: JsonSchema): boolean =>
    variant.enum !== undefined && Object.keys(variant).every((key) => key === 'type' || key === 'enum');
  const words = new Map<string | undefined, unknown[]>();
  for (const { type, enum: values = [] } of flat.filter(isWords))
    words.set(type, [...(words.get(type) ?? []), ...values]);
  const all = [
    ...[...words].map(([type, values]) => ({ ...(type === undefined ? {} : { type }), enum: values })),
    ...flat.filter((variant) => !isWords(variant)),
  ];
  return all.length === 1 ? all[0]! : { anyOf: all };
}

function intersection(parts: readonly JsonSchema[]): JsonSchema {
  if (parts.some(({ type, anyOf }) => type !== 'object' || anyOf !== undefined))
    throw new Error('The comparison of HTTP contracts knows only intersections of objects.');
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }) as JsonSchema;
}
