/** How often the rings go around a point, as a sum of angles; shares nothing with the fast implementation. */
export function windsAround(rings: readonly Int32Array[], lng: number, lat: number): boolean {
  let inside = false;
  for (const ring of rings) {
    let turn = 0;
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const a = Math.atan2(ring[i + 1]! - lat, ring[i]! - lng);
      const b = Math.atan2(ring[i + 3]! - lat, ring[i + 2]! - lng);
      turn += ((b - a + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    }
    if (Math.abs(turn) > Math.PI) inside = !inside;
  }
  return inside;
}
