import { topSpeedBounds, type VehicleMeasure, vehicleBounds } from '#schemas/http/vehicle-bounds.js';
import { type Option, type OptionTable, readCount, readDecimal, toggle } from './option.js';

const within = (name: VehicleMeasure): Option<number> => {
  const { minimum, maximum } = vehicleBounds[name];
  return {
    form: `a number from ${minimum} to ${maximum}`,
    read: (text) => {
      const value = readDecimal(text);
      return value !== undefined && value >= minimum && value <= maximum ? value : undefined;
    },
  };
};

/** Of the profile for trucks; OSRM itself has none of them. */
export const vehicleOptions = {
  height: within('height'),
  width: within('width'),
  length: within('length'),
  weight: within('weight'),
  axle_load: within('axle_load'),
  hazmat: toggle,
} as const satisfies OptionTable;

const topSpeed: Option<number> = {
  form: `whole km/h from ${topSpeedBounds.minimum} to ${topSpeedBounds.maximum}`,
  read: (text) => {
    const kph = readCount(text);
    return kph !== undefined && kph >= topSpeedBounds.minimum && kph <= topSpeedBounds.maximum
      ? kph
      : undefined;
  },
};

/** Of services that find the fastest routes, for cars and trucks; OSRM itself does not have it. */
export const speedOptions = { top_speed: topSpeed } as const satisfies OptionTable;
