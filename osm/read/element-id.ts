/**
 * Ids that a map may have, of either sign: editors use negative ids for elements that are not uploaded.
 * Fifteen digits allow the difference of two ids and eight times an id in a number that is exact below 2^53.
 */
export const elementIdMax = 999_999_999_999_999;

export const isElementId = (id: number): boolean => Number.isInteger(id) && Math.abs(id) <= elementIdMax;
