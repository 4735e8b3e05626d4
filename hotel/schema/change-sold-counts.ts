import { changeCountsFunction } from './change-counts.js';

/** `change_counts` with the limit of each day instead of 110 % for all. */
export const changeSoldCounts = changeCountsFunction(
  'CREATE OR REPLACE',
  'rooms_sold_at_most(i.total_inventory, i.overbooking_percent, i.sell_limit)',
);
