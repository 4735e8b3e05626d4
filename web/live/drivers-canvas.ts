import type { Map as MapLibre } from 'maplibre-gl';
import { worldX, worldY } from '../geometry/mercator.js';
import type { Palette } from '../map/palette.js';
import { drawPucks, puckSize } from './driver-pucks.js';
import type { Track } from './glide.js';

/**
 * From where and to where, in worlds east and south of the origin of all; heading in radians, 1 for one who
 * navigates; milliseconds of the start after that of all, and how many it lasts.
 */
const perDriver = 8;
const vertexShader = `#version 300 es
in vec2 corner;
in vec4 way;
in vec4 rest;
uniform mat4 toClip;
uniform float size;
uniform float now;
out vec2 texel;
void main() {
  vec2 place = mix(way.xy, way.zw, clamp((now - rest.z) / rest.w, 0.0, 1.0));
  float c = cos(rest.x), s = sin(rest.x);
  vec2 turned = vec2(corner.x * c - corner.y * s, corner.x * s + corner.y * c);
  gl_Position = toClip * vec4(place + size * turned, 0, 1);
  texel = vec2((corner.x + 0.5 + rest.y) / 2.0, corner.y + 0.5);
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
  load(tracks: readonly Track[]): void;
  /** Draws them where they are at `now`, by the clock of their tracks. */
  show(now: number): void;
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

  let opened = false;
  let draw: ReturnType<typeof drawing>;
  let fleet = fleetOf([]);
  let at = 0;
  const matrixOf = watchMatrix(map);
  const render = () => {
    const { width, height } = map.getCanvas();
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const matrix = matrixOf();
    if (matrix !== undefined) draw?.(map.getZoom(), matrix, fleet, at);
  };
  // The map has moved: in the same frame of the screen, so that drivers stay on their roads.
  map.on('render', render);
  return {
    load(tracks) {
      // Later than the map, which a second context would delay.
      if (!opened && tracks.length > 0) draw = drawing(canvas, palette);
      opened ||= tracks.length > 0;
      fleet = fleetOf(tracks);
      canvas.dataset['drivers'] = String(tracks.length);
    },
    show(now) {
      at = now;
      render();
    },
    repaint(next) {
      palette = next;
      if (opened) draw = drawing(canvas, palette);
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
  const [toClip, size, now] = [place('toClip'), place('size'), place('now')];

  buffer(gl);
  attribute(gl, program, 'corner', [2, 0, 2]);
  gl.bufferData(
    gl.ARRAY_BUFFER,
    new Float32Array([-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5]),
    gl.STATIC_DRAW,
  );
  buffer(gl);
  gl.vertexAttribDivisor(attribute(gl, program, 'way', [4, 0, perDriver]), 1);
  gl.vertexAttribDivisor(attribute(gl, program, 'rest', [4, 4, perDriver]), 1);
  let loaded: Fleet | undefined;

  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, drawPucks(palette));
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  return (zoom: number, matrix: Matrix, fleet: Fleet, at: number) => {
    if (fleet !== loaded) gl.bufferData(gl.ARRAY_BUFFER, fleet.numbers, gl.DYNAMIC_DRAW);
    loaded = fleet;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniformMatrix4fv(toClip, false, aroundPlace(matrix, fleet.x, fleet.y));
    gl.uniform1f(size, sizeAt(zoom) / (512 * 2 ** zoom));
    gl.uniform1f(now, at - fleet.startedAt);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, fleet.numbers.length / perDriver);
  };
}

/**
 * All drivers as the graphics card reads them, near one place and one time: single precision is too coarse
 * for the world and for hours.
 */
interface Fleet {
  readonly x: number;
  readonly y: number;
  readonly startedAt: number;
  readonly numbers: Float32Array;
}

/** Those who navigate come last and lie on top. */
function fleetOf(tracks: readonly Track[]): Fleet {
  const [lng, lat] = tracks[0]?.to ?? [0, 0];
  const [x, y] = [worldX(lng), worldY(lat)];
  const startedAt = Math.max(0, ...tracks.map((track) => track.startedAt));
  const inOrder = [
    ...tracks.filter(({ navigating }) => !navigating),
    ...tracks.filter(({ navigating }) => navigating),
  ];
  const numbers = new Float32Array(perDriver * tracks.length);
  for (const [nth, track] of inOrder.entries())
    numbers.set(
      [
        worldX(track.from[0]) - x,
        worldY(track.from[1]) - y,
        worldX(track.to[0]) - x,
        worldY(track.to[1]) - y,
        (track.headingDeg * Math.PI) / 180,
        track.navigating ? 1 : 0,
        track.startedAt - startedAt,
        track.lastsMs,
      ],
      perDriver * nth,
    );
  return { x, y, startedAt, numbers };
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

const buffer = (gl: WebGL2RenderingContext) => gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());

/** Reads so many of the numbers of each vertex from the bound buffer, after the first ones. */
function attribute(
  gl: WebGL2RenderingContext,
  program: WebGLProgram,
  name: string,
  [count, after, ofEach]: readonly [number, number, number],
): number {
  const index = gl.getAttribLocation(program, name);
  gl.enableVertexAttribArray(index);
  gl.vertexAttribPointer(index, count, gl.FLOAT, false, 4 * ofEach, 4 * after);
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
