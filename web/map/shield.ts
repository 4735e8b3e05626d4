import type { Map as MapLibre } from 'maplibre-gl';
import type { Palette } from './palette.js';

const pixelRatio = 2;
const shieldSize = 20;
const corner = 5;
/** The shield of a road grows with its number; its corners do not. In pixels of the image. */
const shieldStretch = {
  stretchX: [[corner * pixelRatio, (shieldSize - corner) * pixelRatio]] as [number, number][],
  stretchY: [[corner * pixelRatio, (shieldSize - corner) * pixelRatio]] as [number, number][],
  content: [4, 4, shieldSize * pixelRatio - 4, shieldSize * pixelRatio - 4] as [
    number,
    number,
    number,
    number,
  ],
};

function drawShield(palette: Palette): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = shieldSize * pixelRatio;
  const pen = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  pen.scale(pixelRatio, pixelRatio);
  pen.fillStyle = palette.ground;
  pen.strokeStyle = palette.label;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(1, 1, shieldSize - 2, shieldSize - 2, corner - 1);
  pen.fill();
  pen.stroke();
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}

/** The plate behind the number of a road. */
export function setShield(map: MapLibre, palette: Palette): void {
  const shield = drawShield(palette);
  if (map.hasImage('shield')) map.updateImage('shield', shield);
  else map.addImage('shield', shield, { pixelRatio, ...shieldStretch });
}
