import { isMotorized } from '#routing-engine/network/travel-mode.js';
import { usualTruck, type Vehicle } from '#routing-engine/network/vehicle.js';
import { type VehicleMeasure, vehicleBounds } from '#schemas/http/vehicle-bounds.js';
import type { Mode } from '../ports/planner.js';

/** What a request says about its truck; metres and tonnes, within `vehicleBounds`. */
export type VehicleFields = Readonly<Partial<Record<VehicleMeasure, number>>> & { readonly hazmat?: boolean };

const names = [...Object.keys(vehicleBounds), 'hazmat'] as (keyof VehicleFields)[];

/** The truck of a request, undefined for other modes; or what is wrong with a field. */
export function vehicleOf(
  mode: Mode,
  fields: VehicleFields,
): {
  readonly vehicle?: Vehicle;
  readonly wrong?: { readonly field: keyof VehicleFields; readonly message: string };
} {
  if (mode !== 'truck') {
    const field = names.find((name) => fields[name] !== undefined);
    return field === undefined ? {} : { wrong: { field, message: `Only a truck has \`${field}\`.` } };
  }
  const { height, width, length, weight, axle_load: axleLoad, hazmat = false } = fields;
  const weightKg = thousandths(weight) ?? usualTruck.weightKg;
  const axleLoadKg = thousandths(axleLoad) ?? Math.min(usualTruck.axleLoadKg, weightKg);
  if (axleLoadKg > weightKg)
    return { wrong: { field: 'axle_load', message: 'An axle does not carry more than the truck weighs.' } };
  return {
    vehicle: {
      heightMm: thousandths(height) ?? usualTruck.heightMm,
      widthMm: thousandths(width) ?? usualTruck.widthMm,
      lengthMm: thousandths(length) ?? usualTruck.lengthMm,
      ...{ weightKg, axleLoadKg, hazmat },
    },
  };
}

/** Millimetres of metres, kilograms of tonnes. */
const thousandths = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(1_000 * value);

/** What is wrong with a top speed, which is within its bounds already. */
export const wrongTopSpeed = (mode: Mode, topSpeedKph: number | undefined): string | undefined =>
  topSpeedKph === undefined || isMotorized(mode) ? undefined : 'Only a car or a truck has `top_speed`.';
