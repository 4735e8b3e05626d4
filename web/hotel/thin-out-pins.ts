/**
 * Shrinks each pin that would cover one before it, so that the prices that are shown can be read. The list
 * beside the map has every hotel; a small pin is for the mouse alone.
 */
export function thinOutPins(pins: readonly HTMLElement[]): void {
  for (const pin of pins) {
    pin.classList.remove('small');
    pin.removeAttribute('aria-hidden');
    pin.tabIndex = 0;
  }
  const kept: DOMRect[] = [];
  for (const [pin, box] of pins.map((each) => [each, each.getBoundingClientRect()] as const)) {
    const isCovered = kept.some(
      ({ left, right, top, bottom }) =>
        box.left < right && box.right > left && box.top < bottom && box.bottom > top,
    );
    if (!isCovered) {
      kept.push(box);
      continue;
    }
    pin.classList.add('small');
    pin.setAttribute('aria-hidden', 'true');
    pin.tabIndex = -1;
  }
}
