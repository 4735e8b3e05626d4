import { InvalidArgumentError, Option } from 'commander';
import { type VehicleMeasure, vehicleBounds } from '#schemas/http/vehicle-bounds.js';

/** `--axle-load <tonnes>` of `axle_load`, within its bounds. */
export function vehicleOption(name: VehicleMeasure, unit: string, usual: number): Option {
  const { minimum, maximum } = vehicleBounds[name];
  return new Option(
    `--${name.replace('_', '-')} <${unit}>`,
    `of a truck, ${minimum} to ${maximum}; ${usual} if absent`,
  ).argParser((text) => {
    const value = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= minimum && value <= maximum))
      throw new InvalidArgumentError(`use a number from ${minimum} to ${maximum}.`);
    return value;
  });
}
