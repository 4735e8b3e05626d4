import { expect, it } from 'vitest';
import { seededRandom } from '#platform/random/random.js';
import { boxOf, cameraFor, pixelOf, positionAt, tilePx, tilesOf } from '#web/static-map/picture.js';

const random = seededRandom(3);
const between = (from: number, to: number) => from + random.next() * (to - from);

it('a position is found again at its pixel, in the tile that OpenStreetMap names', () => {
  for (let round = 0; round < 500; round += 1) {
    const [lng, lat, zoom] = [between(-180, 180), between(-85, 85), Math.floor(between(0, 20))];
    const back = positionAt(pixelOf([lng, lat], zoom), zoom);
    expect(back.lng).toBeCloseTo(lng, 7);
    expect(back.lat).toBeCloseTo(lat, 7);
    // The formula of OpenStreetMap's tile names, which is another one than ours.
    const row = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom;
    expect(pixelOf([lng, lat], zoom).y / tilePx).toBeCloseTo(row, 6);
  }
});

it('a fitted box is in the part of the picture that is free, as close as whole levels allow', () => {
  for (let round = 0; round < 300; round += 1) {
    const [west, south] = [between(-170, 160), between(-80, 70)];
    const box = boxOf([
      [west, south],
      [west + between(0.0001, 9), south + between(0.0001, 9)],
    ])!;
    const [width, height] = [between(320, 1920), between(480, 1200)];
    const free = { top: 84, right: 24, bottom: between(28, height / 2), left: 24 };
    const camera = cameraFor(box, width, height, free);
    const at = (zoom: number) => {
      const middle = pixelOf([camera.lng, camera.lat], zoom);
      const [from, to] = [pixelOf([box[0], box[3]], zoom), pixelOf([box[2], box[1]], zoom)];
      return {
        left: from.x - middle.x + width / 2,
        top: from.y - middle.y + height / 2,
        right: middle.x + width / 2 - to.x,
        bottom: middle.y + height / 2 - to.y,
        across: to.x - from.x,
        down: to.y - from.y,
      };
    };
    const here = at(camera.zoom);
    for (const side of ['left', 'top', 'right', 'bottom'] as const)
      expect(here[side]).toBeGreaterThanOrEqual(free[side] - 0.01);
    const closer = at(camera.zoom + 1);
    const room = { across: width - 48, down: height - free.top - free.bottom };
    expect(camera.zoom === 16 || closer.across > room.across || closer.down > room.down).toBe(true);
  }
  expect(boxOf([])).toBeUndefined();
});

it('tiles cover the picture without a gap, go round the world and end at the poles', () => {
  for (let round = 0; round < 200; round += 1) {
    const zoom = Math.floor(between(2, 19));
    const { x, y } = pixelOf([between(-180, 180), between(-80, 80)], zoom);
    const [width, height] = [Math.floor(between(300, 1_500)), Math.floor(between(300, 900))];
    const corner = { x: x - width / 2, y: y - height / 2 };
    const tiles = tilesOf(corner, width, height, zoom);
    expect(new Set(tiles.map(({ left, top }) => `${left} ${top}`)).size).toBe(tiles.length);
    for (let probe = 0; probe < 20; probe += 1) {
      const [px, py] = [between(0, width), between(0, height)];
      const inWorld = corner.y + py >= 0 && corner.y + py < tilePx * 2 ** zoom;
      const over = tiles.filter(
        ({ left, top }) => left <= px && px < left + tilePx && top <= py && py < top + tilePx,
      );
      expect(over).toHaveLength(inWorld ? 1 : 0);
      if (over[0] === undefined) continue;
      const [level, column, row] = over[0].name.split('/').map(Number) as [number, number, number];
      expect(level).toBe(zoom);
      const across = 2 ** zoom;
      const wanted = Math.floor((corner.x + px) / tilePx);
      expect(column).toBe(((wanted % across) + across) % across);
      expect(row).toBe(Math.floor((corner.y + py) / tilePx));
    }
  }
});
