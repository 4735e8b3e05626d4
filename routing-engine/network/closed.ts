/**
 * Cost of an edge that nobody may drive: by law, or closed at the moment. Also the weight of a pair without a
 * way.
 */
export const CLOSED = 0x7fffffff;
