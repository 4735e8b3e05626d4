import { createHash } from 'node:crypto';
import { each } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadProposed, StrayTrace } from '#schemas/messages.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { type CandidateRoad, CandidateRoads } from './candidate-roads.js';
import { fromFlat, toFlat } from './flat-map.js';
import { type NewRoadSettings, newRoadDefaults } from './settings.js';
import { type Square, squareOf } from './square.js';

export interface NewRoadsDeps extends GroupDeps {
  readonly codecs: Pick<TopicCodecs, 'mapTraceStray' | 'mapRoadProposed' | 'deadLetter'>;
  readonly tilesetId: string;
  readonly settings?: Partial<NewRoadSettings>;
}

interface NewRoadsState {
  readonly squares: Map<string, CandidateRoads>;
  /** Passes that a road had when it was last published, by its id. */
  readonly publishedPasses: Map<string, number>;
}

/** Squares with stray drives that one partition keeps; drives in more are counted as `full`. */
const squaresMax = 10_000;
const outcomes = ['gathered', 'foreign', 'full', 'proposed'];

/** Group `new-roads`: proposes roads from parts of drives that no road explains. */
export async function startNewRoads(deps: NewRoadsDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'new_roads_outcomes_total',
    'Off-road runs by outcome, and proposed roads.',
    outcomes,
  );
  return startGroup(newRoadsTopology(deps, counts), deps, counts);
}

function newRoadsTopology(
  { codecs, tilesetId, settings }: NewRoadsDeps,
  counts: Counts,
): Topology<NewRoadsState> {
  const rules = { ...newRoadDefaults, ...settings };
  return {
    group: 'new-roads',
    startAt: 'earliest',
    state: jsonState({
      layout: 1,
      tilesetId,
      fresh: (): NewRoadsState => ({ squares: new Map(), publishedPasses: new Map() }),
      toPlain: ({ squares, publishedPasses }) => ({
        squares: [...squares].map(([key, roads]) => [key, roads.toPlain()] as const),
        told: [...publishedPasses],
      }),
      // Off-road drives on the previous map may be on roads of the new one.
      carryOver: () => ({ squares: new Map(), publishedPasses: new Map() }),
      fromPlain: ({ squares, told }) => ({
        squares: new Map(squares.map(([key, plain]) => [key, CandidateRoads.fromPlain(plain, rules)])),
        publishedPasses: new Map(told),
      }),
    }),
    inputs: [
      each(codecs.mapTraceStray, ({ message }, { state, emit }) => {
        if (message.tilesetId !== tilesetId || message.lngE7.length < 2) {
          counts.add('foreign');
          return drop('foreign');
        }
        const square = squareOf(message.lngE7[0]!, message.latE7[0]!);
        const roads = state.squares.get(square.key) ?? new CandidateRoads(rules);
        if (!state.squares.has(square.key)) {
          if (state.squares.size >= squaresMax) {
            counts.add('full');
            return drop('full');
          }
          state.squares.set(square.key, roads);
        }
        counts.add('gathered');
        const number = roads.add(
          message.lngE7.map((lngE7, i) => toFlat(square.map, lngE7, message.latE7[i]!)),
          message.driver,
        );
        const road = roads.road(number);
        const id = roadId(tilesetId, square, number);
        // At first, and when the number of passes has doubled.
        if (road === undefined || road.passes < 2 * (state.publishedPasses.get(id) ?? 0)) return ok;
        state.publishedPasses.set(id, road.passes);
        counts.add('proposed');
        emit(codecs.mapRoadProposed, id, proposal(id, square, road, message));
        return ok;
      }),
    ],
  };
}

function proposal(
  roadId: string,
  { map }: Square,
  { line, passes, drivers, oneWay }: CandidateRoad,
  { tilesetId, receivedMs }: StrayTrace,
): RoadProposed {
  const places = line.map((place) => fromFlat(map, place));
  return {
    roadId,
    tilesetId,
    latE7: places.map(({ latE7 }) => latE7),
    lngE7: places.map(({ lngE7 }) => lngE7),
    passes,
    drivers,
    oneWay,
    lastMs: receivedMs,
  };
}

/** The same for the same records: a replay proposes the same road again. */
function roadId(tilesetId: string, { key }: Square, number: number): string {
  return `road-${createHash('sha256').update(`${tilesetId}\n${key}\n${number}`).digest('hex').slice(0, 16)}`;
}
