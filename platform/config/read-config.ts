import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { ConfigOf, Environment, Setting, Settings } from './setting.js';
import { unknownKeys } from './unknown-keys.js';

export type ConfigOutcome<T extends Settings> =
  | { readonly ok: true; readonly config: ConfigOf<T> }
  /** One plain sentence for each key that is wrong. */
  | { readonly ok: false; readonly faults: readonly string[] };

export interface SettingLine {
  readonly name: string;
  /** `•••` for secrets; empty when the key has neither value nor default. */
  readonly value: string;
  readonly source: 'environment' | 'default' | 'unset';
  readonly fallback: string;
  readonly doc: string;
}

// The schemas are ours. Compiling the schema of schemas to check them is a tenth of a second of each start.
const ajv = new Ajv2020({ coerceTypes: true, strict: true, meta: false, validateSchema: false });
/** Half a millisecond each, so equal bounds share one. */
const validators = new WeakMap<TSchema, ValidateFunction>();
const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Reads and checks every declared key, and refuses keys that look like ours but are not. An empty value
 * counts as unset.
 *
 * ```ts
 * const outcome = readConfig(settings, process.env);
 * if (!outcome.ok) exitWith(outcome.faults);
 * ```
 */
export function readConfig<T extends Settings>(settings: T, environment: Environment): ConfigOutcome<T> {
  const faults = unknownKeys(environment, Object.keys(settings));
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const text = textOf(environment[name], setting);
    const read = text === undefined ? { value: undefined } : parse(text, setting.schema);
    if ('fault' in read) faults.push(`${name} ${read.fault}${shown(text, setting)}`);
    config[name] = 'fault' in read ? undefined : read.value;
  }
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, config: config as ConfigOf<T> };
}

/** Every setting with its present value, for `meridian config` and for the log at start. */
export function describeConfig(settings: Settings, environment: Environment): SettingLine[] {
  return Object.entries(settings).map(([name, setting]) => {
    const given = environment[name];
    const set = given !== undefined && given !== '';
    const value = textOf(given, setting) ?? '';
    return {
      name,
      value: setting.secret === true && value !== '' ? '•••' : withoutCredentials(value),
      source: set ? 'environment' : setting.fallback === undefined ? 'unset' : 'default',
      fallback: setting.fallback ?? '',
      doc: setting.doc,
    };
  });
}

function textOf(given: string | undefined, setting: Setting): string | undefined {
  return given === undefined || given === '' ? setting.fallback : given;
}

function parse(text: string, schema: TSchema): { value: unknown } | { fault: string } {
  const holder = { value: text as unknown };
  const validate = validators.get(schema) ?? ajv.compile({ type: 'object', properties: { value: schema } });
  validators.set(schema, validate);
  const numeric = validate(holder) && typeof holder.value === 'number';
  if (validate.errors !== null && validate.errors !== undefined) return { fault: sentence(validate.errors) };
  if (numeric && !plainNumber.test(text)) return { fault: 'must be a decimal number' };
  return { value: holder.value };
}

function sentence(errors: readonly ErrorObject[]): string {
  const options = errors
    .filter(({ keyword }) => keyword === 'const')
    .map((error) => error.params['allowedValue']);
  if (options.length > 0) return `must be one of ${options.join(', ')}`;
  const [error] = errors;
  if (error?.keyword === 'pattern') return 'does not have the form in its description';
  return error?.message ?? 'is wrong';
}

function shown(text: string | undefined, setting: Setting): string {
  if (setting.secret === true || text === undefined) return `: ${setting.doc}`;
  return `, but is "${withoutCredentials(text).slice(0, 80)}": ${setting.doc}`;
}

/** Addresses may carry a user and a password. */
function withoutCredentials(address: string): string {
  return address.replace(/\/\/.*@/, '//•••@').replaceAll(/(password|secret)=[^&]*/gi, '$1=•••');
}
