import fc from 'fast-check';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A value of few parts that a JSON schema of the contracts allows, the same each time. */
export function validBody(schema: object): unknown {
  const one: Schema = schema;
  if (one.const !== undefined) return one.const;
  if (one.enum !== undefined) return one.enum[0];
  if (one.anyOf !== undefined) return validBody(one.anyOf[0]!);
  if (one.allOf !== undefined) return Object.assign({}, ...one.allOf.map(validBody)) as unknown;
  switch (one.type ?? 'null') {
    case 'object': {
      const { properties = {}, required = [], minProperties = 0 } = one;
      const names = [...new Set([...required, ...Object.keys(properties).slice(0, minProperties)])];
      return Object.fromEntries(names.map((name) => [name, validBody(properties[name]!)]));
    }
    case 'array':
      return Array.from({ length: one.minItems ?? 0 }, () => validBody(one.items!));
    case 'integer':
    case 'number':
      return one.minimum ?? (one.exclusiveMinimum === undefined ? 1 : one.exclusiveMinimum + 1);
    case 'boolean':
      return true;
    case 'string':
      return text(one);
    default:
      return null;
  }
}

function text({ pattern, format, minLength = 1, maxLength = 200 }: Schema): string {
  if (format === 'date') return '2027-07-01';
  if (format === 'date-time') return '2027-07-01T12:00:00Z';
  const texts =
    pattern === undefined ? fc.constant('a'.repeat(minLength)) : fc.stringMatching(new RegExp(pattern));
  const fits = texts.filter(({ length }) => length >= minLength && length <= maxLength);
  return fc.sample(fits, { numRuns: 1, seed: 1 })[0]!;
}
