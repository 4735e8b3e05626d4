/**
 * Ids that a map may have, of either sign: editors number what they have not uploaded with negative ones.
 * Fifteen digits leave room for the difference of two ids and for eight times an id in a number that is
 * exact below 2^53.
 */
export const elementIdMax = 999_999_999_999_999;

export const isElementId = (id: number): boolean => Number.isInteger(id) && Math.abs(id) <= elementIdMax;
