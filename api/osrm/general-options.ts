import { type Option, type OptionTable, oneOf, perCoordinate, readDecimal, toggle } from './option.js';
import { vehicleOptions } from './vehicle-options.js';

const integer = /^[+-]?\d{1,4}$/;

function readBearing(text: string): { readonly deg: number; readonly rangeDeg: number } | undefined {
  const parts = text.split(',');
  if (parts.length !== 2 || !parts.every((part) => integer.test(part))) return undefined;
  return { deg: Number(parts[0]), rangeDeg: Number(parts[1]) };
}

const readRadius: Option<number>['read'] = (text) =>
  text === 'unlimited' ? Number.POSITIVE_INFINITY : readDecimal(text);

/** The options that every service of OSRM has. */
export const generalOptions = {
  approaches: perCoordinate(
    'curb, opposite or unrestricted',
    oneOf(['curb', 'opposite', 'unrestricted']).read,
  ),
  bearings: perCoordinate('{degrees},{range}', readBearing),
  exclude: {
    form: '{class},{class},…',
    read: (text) => (/^[a-zA-Z0-9]+(?:,[a-zA-Z0-9]+)*$/.test(text) ? text.split(',') : undefined),
  },
  format: oneOf(['json', 'flatbuffers']),
  generate_hints: toggle,
  hints: perCoordinate('{hint}', (text) => (/^[\w=-]+$/.test(text) ? text : undefined)),
  radiuses: perCoordinate('{metres} or unlimited', readRadius),
  skip_waypoints: toggle,
  snapping: oneOf(['default', 'any']),
  ...vehicleOptions,
} as const satisfies OptionTable;
