import type { CityRoads } from '#simulated-city/city-roads.js';

/**
 * A town of `size` × `size` crossings, 100 m apart, all streets two-way; edge numbers are 4 · crossing +
 * direction.
 */
export function gridRoads(size: number): CityRoads {
  const step = 100 / 111_195;
  const moves = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const;
  const inside = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < size && y < size;
  const from = (edge: number): readonly [number, number] => [
    (edge >> 2) % size,
    Math.floor((edge >> 2) / size),
  ];
  const to = (edge: number): readonly [number, number] => {
    const [x, y] = from(edge);
    const [dx, dy] = moves[edge & 3]!;
    return [x + dx, y + dy];
  };
  const exists = (edge: number): boolean => inside(...to(edge));
  const leaving = ([x, y]: readonly [number, number]): number[] =>
    [0, 1, 2, 3].map((direction) => 4 * (y * size + x) + direction).filter(exists);
  const reverse = (edge: number): number => {
    const [x, y] = to(edge);
    return 4 * (y * size + x) + ((edge + 2) & 3);
  };
  return {
    edgeCount: 4 * size * size,
    edgeLengthM: () => 100,
    edgeGeometry: (edge) => {
      const [[ax, ay], [bx, by]] = [from(edge), to(edge)];
      return [ax * step, ay * step, bx * step, by * step];
    },
    localMs: (atMs) => atMs,
    freeFlowKph: (edge) => (exists(edge) ? 36 : 0),
    edgeId: (edge) => `e${edge}`,
    edgeByStableId: (id) => Number(id.slice(1)),
    reverseOf: (edge) => (exists(edge) ? reverse(edge) : undefined),
    findPath(start, _, end, closed) {
      const before = new Map<number, number>([[start, -1]]);
      const queue = [start];
      for (const edge of queue) {
        if (edge === end) {
          const way: number[] = [];
          for (let at = end; at !== -1; at = before.get(at)!) way.unshift(at);
          return way;
        }
        for (const next of leaving(to(edge))) {
          if (before.has(next) || closed.has(next) || next === reverse(edge)) continue;
          before.set(next, edge);
          queue.push(next);
        }
      }
      return undefined;
    },
  };
}
