/** Pixels of the map that the panels cover, so that fitted points stay visible. */
export function layoutPadding(width: number, height: number) {
  if (width < 760) return { top: 84, right: 24, bottom: Math.round(height * 0.46) + 28, left: 24 };
  return { top: 112, right: 40, bottom: 110, left: 420 };
}

/** From the middle of the map to the middle of the uncovered area, in pixels to the right and down. */
export function openMiddle(width: number, height: number): [number, number] {
  const { top, right, bottom, left } = layoutPadding(width, height);
  return [(left - right) / 2, (top - bottom) / 2];
}
