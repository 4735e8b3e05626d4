import { describe, expect, it } from 'vitest';
import {
  followRoute,
  type GuidanceStep,
  placeOnRoute,
  type TurnedAway,
} from '#processors/matching/follow-route.js';
import { changedGuidance, type Guidance, newGuidance } from '#processors/matching/guidance.js';
import { completedEdges, hasTurned, movedM } from '#processors/matching/passages.js';
import { matchingDefaults as settings } from '#processors/matching/settings.js';
import { gridNetwork } from '../grid-network.js';

const grid = await gridNetwork(5, 4, 200);
const { network } = grid;
/** Along row 1 from west to east. */
const route = grid.way([0, 1], [1, 1], [2, 1], [3, 1], [4, 1]);
const [r0, r1, r2, r3] = route as [number, number, number, number];
const north = grid.edge([2, 1], [2, 2]);
const back = network.reverseOf(r1)!;

const placed = (edge: number, fraction: number) => ({
  edge,
  fraction,
  timeMs: 30_000,
  point: grid.place(edge, fraction),
});

/** A driver's positions, ten seconds apart, given as [edges driven, fraction of the last]. */
type Step = readonly [traversed: readonly number[], toFraction: number, atS?: number];

function walk(steps: readonly Step[], guidance: Guidance = newGuidance('n', 1, route)) {
  const reports: TurnedAway[] = [];
  let now: Guidance | undefined = guidance;
  let fraction = 0;
  let atMs = 0;
  for (const [traversed, toFraction, atS] of steps) {
    const toMs = atS === undefined ? atMs + 10_000 : atS * 1_000;
    const point = grid.place(traversed.at(-1)!, toFraction);
    const move = { traversed, fromFraction: fraction, toFraction, fromMs: atMs, toMs, point };
    if (now !== undefined) {
      const step: GuidanceStep = followRoute(network, now, move, settings);
      now = step.guidance;
      if (step.turnedAway !== undefined) reports.push(step.turnedAway);
    }
    fraction = toFraction;
    atMs = toMs;
  }
  return { reports, guidance: now };
}

/** Moves of ten seconds along a town's roads, each as [edges driven, fraction of the first, of the last]. */
type MoveAlong = readonly [traversed: readonly number[], fromFraction: number, toFraction: number];

/** Edges of the route `led` from which the driver deviates. */
function turnedFrom(
  town: typeof grid,
  led: readonly number[],
  moves: readonly MoveAlong[],
  sigmaM?: number,
): readonly number[] {
  let now: Guidance | undefined = newGuidance('n', 1, led);
  const reports: number[] = [];
  for (const [i, [traversed, fromFraction, toFraction]] of moves.entries()) {
    const point = town.place(traversed.at(-1)!, toFraction);
    const times = { fromMs: i * 10_000, toMs: (i + 1) * 10_000 };
    const move = { traversed, fromFraction, toFraction, ...times, point };
    const step: GuidanceStep = followRoute(
      town.network,
      now!,
      sigmaM === undefined ? move : { ...move, sigmaM },
      settings,
    );
    now = step.guidance;
    if (step.turnedAway !== undefined) reports.push(step.turnedAway.edge);
  }
  return reports;
}

describe('evidence from a guided driver about the next edge', () => {
  it('M-064: taking another edge at the crossing is a deviation, reported once', () => {
    const { reports } = walk([
      [[r0], 0.5],
      [[r0, r1], 0.9],
      [[r1, north], 0.2],
      [[north], 0.9],
    ]);
    expect(reports).toEqual([{ edge: r2, reachedMs: 20_000, atMs: 30_000 }]);
  });

  it('ignores a driver who reaches the route of an ended navigation', () => {
    const ended = { ...newGuidance('n', 1, route), followedM: 1_000, endedMs: 5_000 };
    const upon: readonly Step[] = [
      [[r1], 0.9],
      [[r1, north], 0.9],
    ];
    expect(walk(upon, ended).reports).toEqual([]);
    expect(placeOnRoute(network, ended, placed(r1, 0.9), settings).guidance).toBeUndefined();
    // The crossing that was ahead of the driver when it ended still counts.
    expect(walk(upon, { ...ended, endedMs: 15_000 }).reports).toMatchObject([{ edge: r2 }]);
  });

  describe('after a reroute', () => {
    /** North at [2, 1] and along row 2. */
    const other = grid.way([0, 1], [1, 1], [2, 1], [2, 2], [3, 2], [4, 2]);
    const onRow2 = other[3]!;
    const goesOn: readonly Step[] = [
      [[r0], 0.5],
      [[r0, r1], 0.9],
      [[r1, r2], 0.9],
    ];

    it('M-064: marks a driver who stays on the previous route and may not know the new one', () => {
      const sent = changedGuidance(newGuidance('n', 1, route), 2, other);
      const { reports, guidance } = walk(goesOn, sent);
      expect(reports).toEqual([{ edge: north, reachedMs: 20_000, atMs: 30_000, keptPrevious: true }]);
      expect(walk(goesOn, newGuidance('n', 2, other)).reports[0]).not.toHaveProperty('keptPrevious');
      // There is no evidence about a third route, until the driver is seen to follow one.
      const third = changedGuidance(guidance!, 3, grid.way([2, 1], [3, 1], [4, 1], [4, 2]));
      const south = grid.edge([4, 1], [4, 0]);
      const on: readonly Step[] = [
        [[r2], 0.9],
        [[r2, r3], 0.95],
        [[r3, south], 0.9],
      ];
      expect(walk(on, third).reports).toEqual([]);
      expect(walk(on, { ...third, isUnheard: false }).reports).toHaveLength(1);
    });

    it('M-064: a reroute just before a crossing that both routes share removes no evidence', () => {
      const south = grid.edge([2, 1], [2, 0]);
      /**
       * The driver followed the first route for 380 m, gets another 20 m before [2, 1], and turns south
       * there.
       */
      const turned = (edges: readonly number[], stored: Partial<Guidance> = {}) => {
        const { guidance } = walk([[[r0, r1], 0.9]]);
        const rerouted = { ...changedGuidance(guidance!, 2, edges), at: 0, ...stored };
        const move = {
          ...{ traversed: [r1, south], fromFraction: 0.9, toFraction: 0.9, fromMs: 20_000, toMs: 30_000 },
          point: grid.place(south, 0.9),
        };
        return followRoute(network, rerouted, move, settings).turnedAway?.edge;
      };
      expect(turned([r1, r2, grid.edge([3, 1], [3, 2])])).toBe(r2);
      // A record of an earlier version does not have these metres.
      const earlier = { before: { at: 1, edge: r3 } };
      expect(turned([r1, r2, grid.edge([3, 1], [3, 2])], earlier)).toBeUndefined();
      // Where the routes part, the driver has had 20 m to react.
      expect(turned([r1, north, onRow2])).toBeUndefined();
    });

    it('M-064: ending the navigation and continuing on the previous route is no evidence', () => {
      const longer = [...other, grid.edge([4, 2], [4, 1])];
      const sent = changedGuidance({ ...newGuidance('n', 1, route), followedM: 400 }, 2, longer);
      const { reports } = walk(
        [
          [[r0, r1], 0.99],
          [[r1, r2], 0.05],
          [[r2, grid.edge([3, 1], [3, 2]), other[4]!], 0.1],
        ],
        { ...sent, endedMs: 15_000 },
      );
      expect(reports).toEqual([]);
    });

    it('leaving the previous route for the new one shows that the driver knows it', () => {
      const sent = changedGuidance({ ...newGuidance('n', 1, route), isUnheard: true }, 2, other);
      const { reports } = walk(
        [
          [[r0], 0.5],
          [[r0, r1], 0.9],
          [[r1, north], 0.95],
          [[north, grid.edge([2, 2], [2, 3])], 0.9],
        ],
        sent,
      );
      expect(reports).toMatchObject([{ edge: onRow2 }]);
    });

    it('leaving both routes is a deviation from the new one', () => {
      const sent = changedGuidance(newGuidance('n', 1, route), 2, other);
      const south = grid.edge([2, 1], [2, 0]);
      expect(
        walk(
          [
            [[r0], 0.5],
            [[r0, r1], 0.9],
            [[r1, south], 0.9],
          ],
          sent,
        ).reports,
      ).toMatchObject([{ edge: north }]);
    });
  });

  describe('a side of a block that a phone cannot distinguish from the other', () => {
    /**
     * The route goes straight on, then north; the matcher reports north, then on. The first position is
     * beyond.
     */
    const over = async (blockM: number, sigmaM: number) => {
      const town = await gridNetwork(16, 5, blockM);
      const way = town.way(...Array.from({ length: 16 }, (_, column) => [column, 1] as const));
      const island = town.way([12, 1], [12, 2], [13, 2], [13, 3], [13, 4]);
      const moves: readonly MoveAlong[] = [
        [way.slice(0, 12), 0, 0.9],
        [[way[11]!, ...island.slice(0, 3)], 0.9, 0.9],
        [island.slice(2), 0.9, 0.9],
      ];
      return { turned: turnedFrom(town, way, moves, sigmaM), led: way[12]! };
    };

    it('is no evidence: around a block of 50 m the driver may have taken either side', async () => {
      expect((await over(50, 32)).turned).toEqual([]);
    });

    it('is distinguished with a smaller error of the phone, or around a larger block', async () => {
      for (const [blockM, sigmaM] of [
        [50, 8],
        [100, 20],
      ] as const) {
        const { turned, led } = await over(blockM, sigmaM);
        expect(turned).toEqual([led]);
      }
    });

    it('counts if it is a piece of a crossing: the next edge starts within the same 40 m', async () => {
      const { turned, led } = await over(32, 20);
      expect(turned).toEqual([led]);
    });
  });

  it('driving around a closed piece and back onto the route is a deviation', async () => {
    const town = await gridNetwork(24, 4, 16);
    const way = town.way(...Array.from({ length: 24 }, (_, column) => [column, 1] as const));
    const round = town.way([15, 1], [15, 2], [16, 2], [16, 1], [17, 1]);
    const rounds = (sigmaM: number): readonly number[] => {
      const moves: readonly MoveAlong[] = [
        [way.slice(0, 15), 0, 0.9],
        [[way[14]!, ...round.slice(0, 2)], 0.9, 0.2],
        [round.slice(1), 0.2, 0.9],
      ];
      return turnedFrom(town, way, moves, sigmaM);
    };
    // Seen 16 m beside the route, 19 m after the crossing.
    expect(rounds(8.9)).toEqual([way[15]]);
    expect(rounds(15)).toEqual([]);
  });

  it('M-064: ending the navigation and driving around a closed road near it is a deviation', async () => {
    const town = await gridNetwork(24, 4, 16);
    const way = town.way(...Array.from({ length: 24 }, (_, column) => [column, 1] as const));
    const [, north, east, south] = town.way([14, 1], [15, 1], [15, 2], [16, 2], [16, 1]);
    /** Comes to the crossing after 20 s, and is 16 m beside the route after 30. */
    const drive = (endedMs: number | undefined, ...goesOn: Step[]) => {
      let now: Guidance | undefined = newGuidance('n', 1, way);
      const reports: TurnedAway[] = [];
      let [fraction, fromMs] = [0, 0];
      for (const [traversed, toFraction] of [[way.slice(0, 15), 0.9], ...goesOn] as const) {
        const point = town.place(traversed.at(-1)!, toFraction);
        const times = { fromMs, toMs: fromMs + 10_000 };
        const move = { traversed, fromFraction: fraction, toFraction, ...times, point };
        const step: GuidanceStep = followRoute(town.network, now!, move, settings);
        if (step.turnedAway !== undefined) reports.push(step.turnedAway);
        now = step.guidance;
        if (now === undefined) break;
        if (endedMs !== undefined && times.toMs >= endedMs) now = { ...now, endedMs };
        [fraction, fromMs] = [toFraction, times.toMs];
      }
      return reports.map(({ edge }) => way.indexOf(edge));
    };
    const aside: Step = [[way[14]!, north!, east!], 0.5];
    const back: Step = [[east!, south!, way[16]!], 0.5];
    expect(drive(10_000, aside, back)).toEqual([15]);
    // In a navigation that continues it may be an error of the phone.
    expect(drive(undefined, aside, back)).toEqual([]);
    // Points next to a road that leads onto the same edge show nothing either.
    expect(drive(10_000, aside, [[east!, way[15]!], 0.5])).toEqual([]);
  });

  describe('M-064: a phone that was on pieces of the route which the matcher rejects', () => {
    const town = gridNetwork(24, 8, 12);
    const reported = async (
      beyondM: number,
      matchedBeside: number,
      { pieceM = 12, points = 2, moves: isMoving = false } = {},
    ) => {
      const { network: pieces, way, place } = await gridNetwork(24, 8, pieceM);
      const led = way(...Array.from({ length: 24 }, (_, column) => [column, 3] as const));
      const aside = way([15, 3], [15, 2], [15, 1], [15, 0]);
      const along = (metres: number) =>
        place(led[15 + Math.floor(metres / pieceM)]!, (metres % pieceM) / pieceM, matchedBeside);
      const before = isMoving ? 13 : 14;
      const moves = [
        { traversed: led.slice(0, before + 1), toFraction: 0.9, point: place(led[before]!, 0.9) },
        { traversed: [...led.slice(before, 15), aside[0]!], toFraction: 0.1, point: along(beyondM) },
        ...(points > 1 ? [{ traversed: [aside[0]!], toFraction: 0.1, point: along(beyondM) }] : []),
        { traversed: aside, toFraction: 0.9, point: place(aside[2]!, 0.9) },
      ];
      let now: Guidance | undefined = newGuidance('n', 1, led);
      let fraction = 0;
      for (const [i, move] of moves.entries()) {
        const times = { fromMs: i * 4_000, toMs: (i + 1) * 4_000, fromFraction: fraction, sigmaM: 8 };
        const step: GuidanceStep = followRoute(pieces, now!, { ...move, ...times }, settings);
        if (step.turnedAway !== undefined) return led.indexOf(step.turnedAway.edge);
        now = step.guidance;
        fraction = move.toFraction;
      }
      return undefined;
    };

    it('shows that the edge behind them cannot be entered', async () => {
      expect(await reported(26, 1)).toBe(17);
      expect(await reported(16, 1)).toBe(16);
    });

    it('shows nothing by a single point, of which a phone that stands sends many', async () => {
      expect(await reported(26, 1, { points: 1 })).toBe(15);
    });

    it('shows it by the single point that a phone sends which is moving', async () => {
      expect(await reported(26, 1, { points: 1, moves: true })).toBe(17);
      expect(await reported(26, 8, { points: 1, moves: true })).toBe(15);
    });

    it('shows nothing about a road that leaves the route at a narrow angle', async () => {
      const { network: pieces, way, place } = await town;
      const led = way(...Array.from({ length: 24 }, (_, column) => [column, 3] as const));
      const fork = way([15, 3], [15, 2], [16, 2], [17, 2], [17, 1], [17, 0]);
      // 5 m beside the route, 7 m beside the driven road.
      const on = { edge: led[16]!, fraction: 0.8 };
      const first = { traversed: led.slice(0, 15), fromFraction: 0, toFraction: 0.9, fromMs: 0, toMs: 4_000 };
      const moves = [
        { ...first, point: place(led[14]!, 0.9) },
        {
          ...first,
          traversed: [led[14]!, ...fork.slice(0, 3)],
          toFraction: 0.9,
          point: place(on.edge, on.fraction, 5),
        },
        {
          ...first,
          traversed: [fork[2]!],
          fromFraction: 0.9,
          point: place(on.edge, on.fraction, 5),
        },
        { ...first, traversed: fork.slice(2), fromFraction: 0.9, point: place(fork[4]!, 0.9) },
      ];
      let now: Guidance | undefined = newGuidance('n', 1, led);
      const reports: number[] = [];
      for (const move of moves) {
        const step: GuidanceStep = followRoute(pieces, now!, { ...move, sigmaM: 8 }, settings);
        if (step.turnedAway !== undefined) reports.push(led.indexOf(step.turnedAway.edge));
        now = step.guidance;
      }
      expect(reports).toEqual([15]);
    });

    it('counts only metres beyond its error, and not next to a road', async () => {
      expect(await reported(9, 1)).toBe(15);
      expect(await reported(26, 8)).toBe(15);
      // Longer than a piece: the phone does not show that the driver reached its end.
      expect(await reported(39, 1, { pieceM: 60 })).toBe(15);
    });
  });

  describe('M-064: a driver who stands before a short piece and turns round', () => {
    /** Points from one second to the next, metres before or behind the start of the piece. */
    const reportedOf = async (stoodM: readonly number[], { pieceM = 20, matchedTo = 0.4 } = {}) => {
      const { network: pieces, way, place } = await gridNetwork(16, 4, pieceM);
      const led = way(...Array.from({ length: 16 }, (_, column) => [column, 1] as const));
      const [before, piece] = [led[10]!, led[11]!];
      const at = (metres: number) =>
        metres < 0 ? place(before, 1 + metres / pieceM, 0) : place(piece, metres / pieceM, 0);
      const back = way([12, 1], [11, 1], [10, 1], [9, 1]);
      const moves = [
        { traversed: led.slice(0, 11), toFraction: 0.9, point: at(-2) },
        ...stoodM.map((metres, i) => ({
          traversed: i === 0 ? [before, piece] : [piece],
          toFraction: matchedTo,
          point: at(metres),
        })),
        { traversed: [piece, ...back], toFraction: 0.9, point: place(back[2]!, 0.9, 0) },
      ];
      let now: Guidance | undefined = newGuidance('n', 1, led);
      let fraction = 0;
      for (const [i, move] of moves.entries()) {
        const times = { fromMs: i * 1_000, toMs: (i + 1) * 1_000, fromFraction: fraction, sigmaM: 6 };
        const step: GuidanceStep = followRoute(pieces, now!, { ...move, ...times }, settings);
        if (step.turnedAway !== undefined) return led.indexOf(step.turnedAway.edge);
        now = JSON.parse(JSON.stringify(step.guidance));
        fraction = move.toFraction;
      }
      return undefined;
    };

    it('did not enter the piece, although points of the phone are on it', async () => {
      expect(await reportedOf([6, -4, 3, -7, 8, -1, 2, -5])).toBe(11);
      // It stands at the end of the piece.
      expect(await reportedOf([16, 19, 21, 13, 18, 22, 17, 20], { matchedTo: 0.9 })).toBe(12);
    });

    it('stands at the end of a piece behind a longer road, over which it came slowly', async () => {
      const widths = [...new Array<number>(10).fill(60), 26, 60, 60];
      const town = await gridNetwork(14, 4, widths);
      const led = town.way(...Array.from({ length: 14 }, (_, column) => [column, 1] as const));
      const [road, piece] = [led[9]!, led[10]!];
      const back = town.network.reverseOf(piece)!;
      const moves: readonly MoveAlong[] = [
        [led.slice(0, 10), 0, 0.75],
        ...[0.8, 0.85, 0.9, 0.95].map((to, i): MoveAlong => [[road], 0.75 + 0.05 * i, to]),
        [[road, piece], 0.95, 0.2],
        ...[0.4, 0.6, 0.8, 1, 1, 1].map((to, i): MoveAlong => [[piece], Math.min(1, 0.2 * (i + 1)), to]),
        [[piece, back, town.network.reverseOf(road)!], 1, 0.5],
      ];
      expect(turnedFrom(town, led, moves, 9)).toEqual([led[11]]);
    });

    it('is where the matcher has it, if it sent too few points while it stood', async () => {
      expect(await reportedOf([8, -3], { matchedTo: 0.6 })).toBe(12);
    });

    it('is where the matcher has it on a longer road', async () => {
      expect(await reportedOf([6, -4, 3, -7, 8, -1], { pieceM: 60, matchedTo: 0.6 })).toBe(12);
    });
  });

  it('a route that returns close to the crossing does not hide a driver who left it before', async () => {
    const town = await gridNetwork(8, 6, 60);
    const way = town.way([0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [5, 1], [5, 2], [4, 2], [3, 2]);
    const north = town.way([4, 1], [4, 2], [4, 3]);
    const moves: readonly MoveAlong[] = [
      [way.slice(0, 4), 0, 0.9],
      [[way[3]!, north[0]!], 0.9, 0.8],
    ];
    // 48 m after the crossing the driver is not at the position of the route that is 168 m further on.
    expect(turnedFrom(town, way, moves)).toEqual([way[4]]);
  });

  it('ignores a crossing that the driver reaches too early to react to the route', () => {
    // From this many metres before the crossing: the route arrived during the drive.
    const toldBefore = (metres: number) => {
      const fraction = 1 - metres / network.edgeLengthM(r1);
      return turnedFrom(grid, route, [
        [[r1], fraction, 0.95],
        [[r1, north], 0.95, 0.9],
      ]);
    };
    expect(toldBefore(settings.reactM + 20)).toHaveLength(1);
    expect(toldBefore(settings.reactM - 20)).toEqual([]);
  });

  it('driving on is no deviation, even if a point was on the side street for a moment', () => {
    expect(
      walk([
        [[r0], 0.5],
        [[r0, r1, r2], 0.3],
        [[r2, r3], 0.9],
      ]).reports,
    ).toEqual([]);
    const doubtful = walk([
      [[r0], 0.5],
      [[r0, r1], 0.98],
      [[r1, north], 0.05],
      [[north, r2], 0.2],
      [[r2], 0.6],
    ]);
    expect(doubtful.reports).toEqual([]);
    expect(doubtful.guidance?.at).toBe(2);
  });

  it('a parallel road that the matcher picks is no deviation while the phone is near the route', () => {
    const { guidance } = walk([[[r0, r1], 0.95]]);
    const beside = grid.place(r2, 0.6, 15);
    const move = {
      traversed: [r1, north],
      fromFraction: 0.95,
      toFraction: 0.6,
      fromMs: 10_000,
      toMs: 20_000,
    };
    const doubtful = followRoute(network, guidance!, { ...move, point: beside }, settings);
    expect(doubtful.turnedAway).toBeUndefined();
    // A phone with an error of 5 m is not on a road 15 m away.
    const exact = followRoute(network, guidance!, { ...move, point: beside, sigmaM: 5 }, settings);
    expect(exact.turnedAway).toBeDefined();
    expect(
      followRoute(network, guidance!, { ...move, point: grid.place(r2, 0.6, 40) }, settings).turnedAway,
    ).toBeDefined();
    // Two roads further on the driver is on the route again.
    const joins = {
      traversed: [north, r3],
      fromFraction: 0.6,
      toFraction: 0.5,
      fromMs: 20_000,
      toMs: 40_000,
    };
    const rejoined = followRoute(
      network,
      doubtful.guidance!,
      { ...joins, point: grid.place(r3, 0.5) },
      settings,
    );
    expect(rejoined).toMatchObject({ guidance: { at: 3 } });
    expect(rejoined.turnedAway).toBeUndefined();
  });

  it('a U-turn at the crossing is a deviation, one in the middle of the road is not', () => {
    expect(
      walk([
        [[r0, r1], 0.9],
        [[r1, back], 0.4],
      ]).reports,
    ).toMatchObject([{ edge: r2 }]);
    expect(
      walk([
        [[r0, r1], 0.4],
        [[r1, back], 0.8],
      ]).reports,
    ).toEqual([]);
  });

  it('returning on the same side of the road is a deviation if the phone cannot err that much', () => {
    expect(
      walk([
        [[r0, r1], 0.95],
        [[r1], 0.7],
      ]).reports,
    ).toMatchObject([{ edge: r2 }]);
    expect(
      walk([
        [[r0, r1], 0.95],
        [[r1], 0.85],
      ]).reports,
    ).toEqual([]);
  });

  it('standing before the edge is evidence only after longer than a red light', () => {
    expect(
      walk([
        [[r0, r1], 0.95, 20],
        [[r1], 0.96, 60],
        [[r1, r2], 0.2, 70],
      ]).reports,
    ).toEqual([]);
    const atS = 20 + settings.standingMs / 1_000;
    expect(
      walk([
        [[r0, r1], 0.95, 20],
        [[r1], 0.96, atS],
        [[r1], 0.96, atS + 60],
      ]).reports,
    ).toEqual([{ edge: r2, reachedMs: 20_000, atMs: atS * 1_000 }]);
  });

  it('after a gap, a driver who was at the crossing and is on the way back has deviated', () => {
    const { guidance } = walk([[[r0, r1], 0.95]]);
    const turned = placeOnRoute(network, guidance!, placed(back, 0.5), settings);
    expect(turned.turnedAway).toMatchObject({ edge: r2 });
    const beyond = placeOnRoute(network, guidance!, placed(r3, 0.1), settings);
    expect(beyond.turnedAway).toBeUndefined();
    expect(beyond.guidance?.at).toBe(3);
  });

  it('a navigation that the driver ended at the crossing still counts there, and not later', () => {
    const { guidance } = walk([[[r0, r1], 0.95]]);
    const ended = { ...guidance!, endedMs: 11_000 };
    const turn = followRoute(
      network,
      ended,
      {
        traversed: [r1, north],
        fromFraction: 0.95,
        toFraction: 0.3,
        fromMs: 10_000,
        toMs: 20_000,
        point: grid.place(north, 0.3),
      },
      settings,
    );
    expect(turn.turnedAway).toMatchObject({ edge: r2 });
    const on = {
      traversed: [r1, r2],
      fromFraction: 0.95,
      toFraction: 0.3,
      fromMs: 10_000,
      toMs: 20_000,
      point: grid.place(r2, 0.3),
    };
    expect(followRoute(network, ended, on, settings).guidance).toBeUndefined();
    const late = { ...on, traversed: [r1, north], fromMs: 75_000, toMs: 80_000 };
    expect(followRoute(network, ended, late, settings)).toEqual({ guidance: undefined });
  });

  it('M-064: pieces of the crossing at which the driver ended the navigation still count', async () => {
    /**
     * The driver ends the navigation 1 s before the first piece, is led straight on, and turns off behind
     * `pieces`.
     */
    const turned = async (pieces: number, blockM: number, seconds = 6) => {
      const town = await gridNetwork(24, 4, blockM);
      const way = town.way(...Array.from({ length: 24 }, (_, column) => [column, 1] as const));
      const north = town.way([10 + pieces, 1], [10 + pieces, 2], [10 + pieces, 3]);
      const begun = followRoute(
        town.network,
        newGuidance('n', 1, way),
        {
          ...{ traversed: way.slice(0, 10), fromFraction: 0, toFraction: 0.5, fromMs: 0, toMs: 10_000 },
          point: town.place(way[9]!, 0.5),
        },
        settings,
      );
      const off = {
        ...{ traversed: [...way.slice(9, 10 + pieces), ...north], fromFraction: 0.5, toFraction: 0.9 },
        ...{ fromMs: 10_000, toMs: 10_000 + seconds * 1_000, point: town.place(north[1]!, 0.9) },
      };
      const { turnedAway } = followRoute(
        town.network,
        { ...begun.guidance!, endedMs: 10_500 },
        off,
        settings,
      );
      return turnedAway && way.indexOf(turnedAway.edge);
    };
    expect(await turned(0, 20)).toBe(10);
    expect(await turned(2, 20)).toBe(12);
    // A piece that is entered 5 s after the end belongs to another crossing.
    expect(await turned(8, 20, 12)).toBeUndefined();
    expect(await turned(2, 40)).toBeUndefined();
  });

  it('the last edge has no next one to deviate from', () => {
    const corner = grid.edge([4, 1], [4, 2]);
    expect(
      walk([
        [[r0, r1, r2, r3], 0.95],
        [[r3, corner], 0.9],
      ]).reports,
    ).toEqual([]);
  });
});

describe('completed edges', () => {
  const nearM = settings.approachM;

  it('completed edges get times at an even speed; the first one only if its start was seen', () => {
    const move = { traversed: [r0, r1, r2], fromFraction: 0.5, toFraction: 0.5, fromMs: 0, toMs: 40_000 };
    expect(movedM(network, move)).toBeCloseTo(400, 0);
    expect(completedEdges(network, move, undefined, undefined, nearM)).toEqual({
      driven: [{ edge: r1, enteredMs: 10_000, leftMs: 30_000, cameFrom: r0 }],
      enteredMs: 30_000,
      cameFrom: r1,
    });
    expect(completedEdges(network, move, -10_000, undefined, nearM).driven[0]).toEqual({
      edge: r0,
      enteredMs: -10_000,
      leftMs: 10_000,
    });
  });

  it('completed edges name the previous edge, over any number of moves', () => {
    const first = completedEdges(
      network,
      { traversed: [r0, r1], fromFraction: 0, toFraction: 0.5, fromMs: 0, toMs: 30_000 },
      0,
      undefined,
      nearM,
    );
    const then = { traversed: [r1, r2], fromFraction: 0.5, toFraction: 0.5, fromMs: 30_000, toMs: 50_000 };
    expect(completedEdges(network, then, first.enteredMs, first.cameFrom, nearM)).toMatchObject({
      driven: [{ edge: r1, cameFrom: r0 }],
      cameFrom: r1,
    });
  });

  it('completed edges exclude a road on which the driver turned around', () => {
    const move = { traversed: [r0, r1, back], fromFraction: 0, toFraction: 0.5, fromMs: 0, toMs: 50_000 };
    const { driven, enteredMs } = completedEdges(network, move, 0, undefined, nearM);
    expect(driven.map(({ edge }) => edge)).toEqual([r0]);
    expect(enteredMs).toBeUndefined();
  });

  it('a driver who turned round near the end of a road turned at the crossing there', () => {
    const toFraction = 0.5;
    const times = { fromMs: 0, toMs: 50_000 };
    const near = 1 - (nearM - 1) / network.edgeLengthM(r1);
    const turn = { traversed: [r1, back], fromFraction: near, toFraction, ...times };
    const { driven, enteredMs, cameFrom } = completedEdges(network, turn, -10_000, r0, nearM);
    expect(driven).toEqual([]);
    const r0Back = network.reverseOf(r0)!;
    const on = { traversed: [back, r0Back], fromFraction: 0.5, toFraction, fromMs: 50_000, toMs: 90_000 };
    const then = completedEdges(network, on, enteredMs, cameFrom, nearM).driven;
    expect(then).toMatchObject([{ edge: back, cameFrom: r1 }]);
    expect(then.map((each) => hasTurned(network, each))).toEqual([true]);
    expect(hasTurned(network, { edge: r1, cameFrom: r0 })).toBe(false);
    const far = 1 - (nearM + 1) / network.edgeLengthM(r1);
    expect(completedEdges(network, { ...turn, fromFraction: far }, -10_000, r0, nearM)).toEqual({
      driven: [],
      enteredMs: undefined,
      cameFrom: undefined,
    });
  });
});
