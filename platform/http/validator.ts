import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { validationErrorsMax } from './limits.js';
import type { FieldError } from './problem.js';

/**
 * Returns what is wrong, or nothing. Compiled when it is first used: a program has hundreds of schemas, which
 * took a second of its start, and is asked few of them.
 */
export type Validator = (value: unknown) => readonly FieldError[] | undefined;

// The schemas are ours: tests check the documents that contain them against the schema of schemas.
const options = {
  meta: false,
  validateSchema: false,
  allErrors: true,
  strict: true,
  strictTuple: false,
  useDefaults: false,
  discriminator: true,
} as const;
const exact = new Ajv2020(options);
/** For parameters, which arrive as text: turns them into numbers and booleans in place. */
const coercing = new Ajv2020({ ...options, coerceTypes: true });
for (const ajv of [exact, coercing]) {
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  // ISO 8601 has a year 0000, but PostgreSQL has none.
  const isDate = ajv.formats['date'] as { readonly validate: (text: string) => boolean };
  ajv.addFormat('date', (text: string) => !text.startsWith('0000') && isDate.validate(text));
}

export function validator(schema: TSchema): Validator {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= exact.compile(schema);
    return validate(value) ? undefined : fieldErrors(validate, '');
  };
}

/** JavaScript's own reading of numbers also takes hexadecimal, blanks and Infinity. */
const decimalNumber = /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;

/** `place` is the first part of the pointers: `/query` or `/path`. */
export function parameterValidator(schema: TSchema, place: string): Validator {
  let validate: ValidateFunction | undefined;
  const names = Object.keys((schema as { readonly properties?: object }).properties ?? {});
  return (value) => {
    validate ??= coercing.compile(schema);
    const parameters = value as Record<string, unknown>;
    // Validation converts texts to numbers in place; only parameters of the schema are converted.
    const texts: unknown[] = [];
    for (const name of names) texts.push(parameters[name]);
    if (!validate(parameters)) return fieldErrors(validate, place);
    let loose: FieldError[] | undefined;
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      const parsed = parameters[name];
      if (typeof parsed !== 'number') continue;
      const text = String(texts[index]);
      // Nearly all parameters are in canonical form.
      if (Number.isFinite(parsed) && (text === String(parsed) || decimalNumber.test(text))) continue;
      loose ??= [];
      loose.push({ pointer: `${place}/${name}`, message: 'must be a decimal number' });
    }
    return loose;
  };
}

function fieldErrors(validate: ValidateFunction, place: string): FieldError[] {
  return withoutAlternatives(validate.errors ?? [])
    .slice(0, validationErrorsMax)
    .map(({ error, choices }) => ({
      pointer: place + pointerOf(error),
      message: choices.length > 0 ? `must be one of ${choices.join(', ')}` : messageOf(error, place),
    }));
}

interface ReportedError {
  readonly error: ErrorObject;
  /** The values of a choice between constants. */
  readonly choices: readonly string[];
}

/**
 * A value that equals none of several constants gives an error for each and then one for all, which suffices.
 * One pass, because there may be thousands.
 */
function withoutAlternatives(errors: readonly ErrorObject[]): readonly ReportedError[] {
  const reported: ReportedError[] = [];
  for (const error of errors) {
    const choices = error.keyword === 'anyOf' ? constantsBehind(reported, error) : [];
    reported.length -= choices.length;
    reported.push({ error, choices });
  }
  return reported;
}

/** The expected values of the last errors, if each is a constant of this choice; otherwise empty. */
function constantsBehind(
  reported: readonly ReportedError[],
  { schemaPath, instancePath }: ErrorObject,
): string[] {
  const constants: string[] = [];
  for (let i = reported.length - 1; i >= 0; i--) {
    const { error } = reported[i]!;
    if (!error.schemaPath.startsWith(`${schemaPath}/`) || !error.instancePath.startsWith(instancePath)) break;
    if (error.keyword !== 'const' || error.instancePath !== instancePath) return [];
    constants.unshift(JSON.stringify(error.params['allowedValue']));
  }
  return constants;
}

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${pointerPart(String(params['missingProperty']))}`;
  if (keyword === 'additionalProperties') {
    return `${instancePath}/${pointerPart(String(params['additionalProperty']).slice(0, 64))}`;
  }
  return instancePath;
}

function messageOf({ keyword, message, params }: ErrorObject, place: string): string {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties')
    return `is not a ${place === '' ? 'field' : 'parameter'} of this operation`;
  if (keyword === 'format' && params['format'] === 'date') return 'must be a calendar day, YYYY-MM-DD';
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  return message ?? 'is wrong';
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
