import type { FieldError } from '#platform/http/problem.js';
import { validator } from '#platform/http/validator.js';
import { IsochroneQuery } from '#schemas/http/isochrone.js';
import type { Mode } from '../ports/planner.js';
import type { IsochroneQuestion } from '../ports/routing-questions.js';
import { vehicleOf } from '../vehicle/vehicle-of.js';
import { messages } from './messages.js';

const modeOf = {
  auto: 'driving',
  bicycle: 'bicycling',
  pedestrian: 'walking',
  truck: 'truck',
} as const satisfies Record<IsochroneQuery['costing'], Mode>;

const validate = validator(IsochroneQuery);

/** From the JSON text in a query string; the same checks as those of a body. */
export function readIsochroneQuery(text: string): IsochroneQuery | readonly FieldError[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ pointer: '', message: messages.notJson }];
  }
  return validate(value) ?? (value as IsochroneQuery);
}

/** The areas of a checked query, the greatest first; or what is wrong. */
export function isochroneQuestion(query: IsochroneQuery): IsochroneQuestion | readonly FieldError[] {
  const wrong = query.contours.findIndex(
    ({ time, distance }) => (time === undefined) === (distance === undefined),
  );
  if (wrong >= 0) return [{ pointer: `/contours/${wrong}`, message: messages.oneLimit }];
  const { lat, lon } = query.locations[0]!;
  const mode = modeOf[query.costing];
  const { vehicle, wrong: badVehicle } = vehicleOf(mode, query.costing_options?.truck ?? {});
  if (badVehicle !== undefined)
    return [{ pointer: `/costing_options/truck/${badVehicle.field}`, message: badVehicle.message }];
  const { costing_options: costs } = query;
  for (const costing of ['auto', 'truck'] as const)
    if (costs?.[costing]?.top_speed !== undefined && costing !== query.costing)
      return [
        { pointer: `/costing_options/${costing}/top_speed`, message: messages.otherCosting(query.costing) },
      ];
  const topSpeedKph = query.costing === 'truck' ? costs?.truck?.top_speed : costs?.auto?.top_speed;
  return {
    mode,
    ...(vehicle === undefined ? {} : { vehicle }),
    ...(topSpeedKph === undefined ? {} : { topSpeedKph }),
    point: { lat, lng: lon },
    avoid: 0,
    contours: sortedContours(query).map(({ time, distance }) =>
      time === undefined
        ? { kind: 'cm', limit: Math.round(100_000 * distance!) }
        : { kind: 'ms', limit: Math.round(60_000 * time) },
    ),
    denoise: query.denoise ?? 1,
    ...(query.generalize === undefined ? {} : { generalizeM: query.generalize }),
  };
}

/** So that smaller areas are drawn over greater ones. */
export const sortedContours = ({ contours }: IsochroneQuery): IsochroneQuery['contours'] =>
  contours.toSorted((a, b) => (b.time ?? 0) - (a.time ?? 0) || (b.distance ?? 0) - (a.distance ?? 0));
