/** A change of availability, rates and restrictions; what is absent stays as it is. */
export interface AriUpdate {
  readonly roomTypeIds: readonly string[];
  /** `YYYY-MM-DD`, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** Then price and restrictions are those of the plan, otherwise of the room type. */
  readonly ratePlanId?: string | undefined;
  /** Of one room and night. */
  readonly priceMinor?: bigint | undefined;
  readonly overbookingPercent?: number | undefined;
  /** At most this many rooms are sold, those that are sold already included; null: no limit. */
  readonly sellLimit?: number | null | undefined;
  readonly stopSell?: boolean | undefined;
  readonly closedToArrival?: boolean | undefined;
  readonly closedToDeparture?: boolean | undefined;
  readonly minStay?: number | undefined;
  readonly maxStay?: number | null | undefined;
}

export const ariLimits = {
  updatesMax: 1_000,
  /** Room types × days, over all updates of a request. */
  cellsMax: 50_000,
  daysMax: 800,
  /** A request of this size takes seconds. */
  statementTimeoutMs: 60_000,
} as const;

/** Whether it concerns the row of the inventory. */
export const hasRules = (update: AriUpdate): boolean =>
  update.overbookingPercent !== undefined ||
  update.sellLimit !== undefined ||
  update.stopSell !== undefined ||
  update.closedToArrival !== undefined ||
  update.closedToDeparture !== undefined ||
  update.minStay !== undefined ||
  update.maxStay !== undefined;
