import type { LatLng } from '#schemas/units.js';

/** Metres and seconds as OSRM rounds them. */
export const tenth = (value: number): number => Math.round(10 * value) / 10;

/** Degrees to a tenth of a metre, as OSRM gives them. */
const microDeg = (value: number): number => Math.round(1e6 * value) / 1e6;

export const pair = ({ lat, lng }: LatLng): [number, number] => [microDeg(lng), microDeg(lat)];
