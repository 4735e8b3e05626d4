/** Least and greatest size in metres, weight and load in tonnes of a truck. */
export const vehicleBounds = {
  height: { minimum: 1, maximum: 10 },
  width: { minimum: 0.5, maximum: 10 },
  length: { minimum: 1, maximum: 100 },
  weight: { minimum: 0.1, maximum: 500 },
  axle_load: { minimum: 0.1, maximum: 100 },
} as const;
/** km/h. */
export const topSpeedBounds = { minimum: 10, maximum: 252 } as const;
export type VehicleMeasure = keyof typeof vehicleBounds;
