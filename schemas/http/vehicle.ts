import { Type } from 'typebox';
import { topSpeedBounds, type VehicleMeasure, vehicleBounds } from './vehicle-bounds.js';

const measure = (name: VehicleMeasure, description: string) =>
  Type.Optional(Type.Number({ ...vehicleBounds[name], description }));

/** Of the vehicle of a route for trucks, each with a default. */
export const vehicleFields = {
  height: measure('height', 'Metres, of a truck. Default 4.'),
  width: measure('width', 'Metres, of a truck. Default 2.55.'),
  length: measure('length', 'Metres, of a truck. Default 16.5.'),
  weight: measure('weight', 'Tonnes, of a loaded truck with its trailer. Default 40.'),
  axle_load: measure(
    'axle_load',
    'Tonnes on the heaviest axle. Default 11.5, or the weight if that is less.',
  ),
  hazmat: Type.Optional(Type.Boolean({ description: 'The truck carries dangerous goods. Default false.' })),
};

/** Of a car or truck that is slower than the roads allow. */
export const topSpeedField = {
  top_speed: Type.Optional(
    Type.Integer({
      ...topSpeedBounds,
      description: 'Whole km/h that a car or truck does not exceed. Default: as fast as the roads allow.',
    }),
  ),
};
