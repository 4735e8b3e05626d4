import type { Map as MapLibre } from 'maplibre-gl';
import type { Palette } from './palette.js';

const pixelRatio = 2;
const size = 22;

/** A disc with an arrow head that points north, at twice the pixels so that it stays sharp. */
function drawPuck(fill: string, ring: string, radius: number): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * pixelRatio;
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  pen.scale(pixelRatio, pixelRatio);
  pen.translate(size / 2, size / 2);
  pen.fillStyle = fill;
  pen.strokeStyle = ring;
  pen.lineWidth = 1.6;
  pen.beginPath();
  // A drop: round behind, pointed ahead, so that the heading is seen at any size.
  pen.arc(0, 1.5, radius, Math.PI * 0.13 - Math.PI / 9, Math.PI * 0.87 + Math.PI / 9);
  pen.lineTo(0, -radius - 3.2);
  pen.closePath();
  pen.fill();
  pen.stroke();
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}

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
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
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

export function setDriverIcons(map: MapLibre, palette: Palette): void {
  const icons = {
    driver: drawPuck(palette.driver, palette.ring, 5),
    'driver-navigating': drawPuck(palette.navigating, palette.ring, 6.2),
  };
  for (const [name, image] of Object.entries(icons)) {
    if (map.hasImage(name)) map.updateImage(name, image);
    else map.addImage(name, image, { pixelRatio });
  }
  const shield = drawShield(palette);
  if (map.hasImage('shield')) map.updateImage('shield', shield);
  else map.addImage('shield', shield, { pixelRatio, ...shieldStretch });
}
