/**
 * Cost of an edge that no traveller may use: by law, or closed at the moment. Also the weight of a pair
 * without a path.
 */
export const CLOSED = 0x7fffffff;
