import { Type } from 'typebox';

const ofTruck = (text: string) =>
  Type.Optional(Type.String({ description: `${text} Of the profile \`truck\`; not an option of OSRM.` }));

/** The size of a truck, as text in a query. */
export const vehicleOptions = {
  height: ofTruck('Metres, default 4.'),
  width: ofTruck('Metres, default 2.55.'),
  length: ofTruck('Metres, default 16.5.'),
  weight: ofTruck('Tonnes, default 40.'),
  axle_load: ofTruck('Tonnes, default 11.5, or the weight if that is less.'),
  hazmat: ofTruck('`true` or `false` (default): the truck carries dangerous goods.'),
};

/** Of services that find the fastest routes. */
export const topSpeedOption = {
  top_speed: Type.Optional(
    Type.String({
      description: 'Whole km/h, 10 to 252, that a car or truck does not exceed. Not an option of OSRM.',
    }),
  ),
};
