import type { Map as MapLibre } from 'maplibre-gl';
import { worldX, worldY } from '../geometry/mercator.js';
import type { Palette } from '../map/palette.js';
import { drawPucks, puckSize } from './driver-pucks.js';
import type { Shown } from './glide.js';

/** East and south of the middle of the map in worlds, heading in radians, 1 for one who navigates. */
const perDriver = 4;
const vertexShader = `#version 300 es
in vec2 corner;
in vec4 driver;
uniform mat4 toClip;
uniform float size;
out vec2 texel;
void main() {
  float c = cos(driver.z), s = sin(driver.z);
  vec2 turned = vec2(corner.x * c - corner.y * s, corner.x * s + corner.y * c);
  gl_Position = toClip * vec4(driver.xy + size * turned, 0, 1);
  texel = vec2((corner.x + 0.5 + driver.w) / 2.0, corner.y + 0.5);
}`;
const fragmentShader = `#version 300 es
precision mediump float;
in vec2 texel;
uniform sampler2D pucks;
out vec4 colour;
void main() { colour = texture(pucks, texel); }`;

/** Full size from zoom 16 on. */
function sizeAt(zoom: number): number {
  const share = (from: number, until: number) => Math.min(1, Math.max(0, (zoom - from) / (until - from)));
  return puckSize * (0.42 + 0.24 * share(10, 13) + 0.34 * share(13, 16));
}

export interface DriversCanvas {
  show(drivers: readonly Shown[]): void;
  repaint(palette: Palette): void;
}

/**
 * Drivers on a canvas of their own over the map. As a layer of the map, each move of theirs would cut all of
 * them into tiles again, place all names and draw all roads, ten times a second.
 */
export function openDriversCanvas(map: MapLibre, palette: Palette): DriversCanvas {
  const canvas = document.createElement('canvas');
  canvas.className = 'drivers-canvas';
  map.getCanvas().after(canvas);
  // Browsers take the context from a page that is hidden for long.
  canvas.addEventListener('webglcontextlost', (lost) => {
    lost.preventDefault();
    draw = undefined;
  });
  canvas.addEventListener('webglcontextrestored', () => {
    draw = drawing(canvas, palette);
    render();
  });

  let draw = drawing(canvas, palette);
  let drivers: readonly Shown[] = [];
  const matrixOf = watchMatrix(map);
  const render = () => {
    const { width, height } = map.getCanvas();
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const matrix = matrixOf();
    if (matrix !== undefined) draw?.(map, matrix, drivers);
  };
  // The map has moved: in the same frame of the screen, so that drivers stay on their roads.
  map.on('render', render);
  return {
    show(now) {
      drivers = now;
      canvas.dataset['drivers'] = String(now.length);
      render();
    },
    repaint(next) {
      palette = next;
      draw = drawing(canvas, palette);
      render();
    },
  };
}

/** Sets a context up; undefined while the browser gives none. */
function drawing(canvas: HTMLCanvasElement, palette: Palette) {
  const gl = canvas.getContext('webgl2', { antialias: false });
  if (gl === null || gl.isContextLost()) return undefined;
  const program = linked(gl);
  gl.useProgram(program);
  const place = (name: string) => gl.getUniformLocation(program, name);
  const [toClip, size] = [place('toClip'), place('size')];

  attribute(gl, program, 'corner', 2);
  gl.bufferData(
    gl.ARRAY_BUFFER,
    new Float32Array([-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5]),
    gl.STATIC_DRAW,
  );
  const driver = attribute(gl, program, 'driver', perDriver);
  gl.vertexAttribDivisor(driver, 1);

  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, drawPucks(palette));
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  return (map: MapLibre, matrix: Matrix, drivers: readonly Shown[]) => {
    const { lng, lat } = map.getCenter();
    const [x, y] = [worldX(lng), worldY(lat)];
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniformMatrix4fv(toClip, false, aroundPlace(matrix, x, y));
    gl.uniform1f(size, sizeAt(map.getZoom()) / (512 * 2 ** map.getZoom()));
    gl.bufferData(gl.ARRAY_BUFFER, placesOf(drivers, x, y), gl.STREAM_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, drivers.length);
  };
}

/** Those who navigate come last and lie on top. */
function placesOf(drivers: readonly Shown[], x: number, y: number): Float32Array {
  const places = new Float32Array(perDriver * drivers.length);
  let at = 0;
  for (const isNavigating of [false, true])
    for (const {
      at: [lng, lat],
      headingDeg,
      navigating,
    } of drivers) {
      if (navigating !== isNavigating) continue;
      places[at++] = worldX(lng) - x;
      places[at++] = worldY(lat) - y;
      places[at++] = (headingDeg * Math.PI) / 180;
      places[at++] = navigating ? 1 : 0;
    }
  return places;
}

/** From the world, whose sides are 1, to the clip space; columns one after the other, in double precision. */
type Matrix = readonly number[];

/** The map tells its matrix to layers that draw by themselves: this one draws nothing and keeps it. */
function watchMatrix(map: MapLibre): () => Matrix | undefined {
  let matrix: Matrix | undefined;
  map.addLayer({
    id: 'matrix',
    type: 'custom',
    render: (_, { defaultProjectionData: { mainMatrix } }) => {
      matrix = Array.from(mainMatrix);
    },
  });
  return () => matrix;
}

/** For positions from a place of the world: single precision is too coarse for positions from its corner. */
function aroundPlace(world: Matrix, x: number, y: number): Float32Array {
  const matrix = [...world];
  for (let row = 0; row < 4; row++)
    matrix[12 + row] = matrix[row]! * x + matrix[4 + row]! * y + matrix[12 + row]!;
  return new Float32Array(matrix);
}

function attribute(gl: WebGL2RenderingContext, program: WebGLProgram, name: string, length: number): number {
  const index = gl.getAttribLocation(program, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.enableVertexAttribArray(index);
  gl.vertexAttribPointer(index, length, gl.FLOAT, false, 0, 0);
  return index;
}

function linked(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(kind);
    if (shader === null) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}
