import type { Palette } from '../map/palette.js';

/** Of the screen, for each of a puck at full size. */
const pixelRatio = 2;
export const puckSize = 22;

/** A drop that points north: round behind, pointed ahead, so that the heading is seen at any size. */
function drawPuck(pen: CanvasRenderingContext2D, fill: string, ring: string, radius: number): void {
  pen.fillStyle = fill;
  pen.strokeStyle = ring;
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.arc(0, 1.5, radius, Math.PI * 0.13 - Math.PI / 9, Math.PI * 0.87 + Math.PI / 9);
  pen.lineTo(0, -radius - 3.2);
  pen.closePath();
  pen.fill();
  pen.stroke();
}

/** Two pucks beside each other: of a driver, and of one who navigates. */
export function drawPucks(palette: Palette): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = 2 * puckSize * pixelRatio;
  canvas.height = puckSize * pixelRatio;
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  pen.scale(pixelRatio, pixelRatio);
  pen.translate(puckSize / 2, puckSize / 2);
  drawPuck(pen, palette.driver, palette.ring, 5);
  pen.translate(puckSize, 0);
  drawPuck(pen, palette.navigating, palette.ring, 6.2);
  return canvas;
}
