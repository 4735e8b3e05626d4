/** What limits of roads are about, in millimetres and kilograms. */
export const measures = ['heightMm', 'widthMm', 'lengthMm', 'weightKg', 'axleLoadKg'] as const;
export type Measure = (typeof measures)[number];

/** A vehicle as the limits of roads see it. */
export interface Vehicle extends Readonly<Record<Measure, number>> {
  /** It carries dangerous goods. */
  readonly hazmat: boolean;
}

/** What a road admits at most. */
export interface VehicleLimits {
  readonly most: Readonly<Partial<Record<Measure, number>>>;
  /** Dangerous goods are forbidden. */
  readonly hazmat: boolean;
}

export const exceeds = (vehicle: Vehicle, { most, hazmat }: VehicleLimits): boolean =>
  (hazmat && vehicle.hazmat) || measures.some((measure) => vehicle[measure] > (most[measure] ?? Infinity));

/**
 * An articulated lorry of the size and weight that all countries of the EU admit (directive 96/53/EC),
 * without dangerous goods.
 */
export const usualTruck: Vehicle = {
  heightMm: 4_000,
  widthMm: 2_550,
  lengthMm: 16_500,
  weightKg: 40_000,
  axleLoadKg: 11_500,
  hazmat: false,
};

/** A car as OSRM's profile has it. */
export const usualCar: Vehicle = {
  heightMm: 2_000,
  widthMm: 1_900,
  lengthMm: 4_800,
  weightKg: 2_000,
  axleLoadKg: 1_200,
  hazmat: false,
};
