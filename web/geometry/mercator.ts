/** Position in the world from its north-western corner, 0 to 1 on both axes, in Web Mercator. */
export const worldX = (lng: number): number => (lng + 180) / 360;
export function worldY(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export const lngAt = (x: number): number => 360 * x - 180;
export const latAt = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
