/**
 * Why a search found no route. `avoided`: every route uses what the driver avoids. `no-road`: no road is near
 * the driver or the destination.
 */
export type NoRoute = 'unreachable' | 'avoided' | 'no-road';
