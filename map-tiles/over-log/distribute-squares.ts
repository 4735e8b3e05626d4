import { setTimeout as delay } from 'node:timers/promises';
import { type EventLog, type LogRecord, LogUnavailable } from '#platform/event-log/event-log.js';
import { waitFor } from '#platform/lifecycle/wait-for.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { DeadLetter, MapSquareDrawn, MapSquarePlanned } from '#schemas/messages.js';
import type { SquareShare } from '../build/build-map-tiles.js';
import { encodeSquareInput, nameOfSquare } from '../build/squares/square-input.js';
import type { DrawnSquare } from '../build/squares/square-writer.js';
import { mapTileLimits } from '../format/limits.js';

export interface ShareDeps {
  readonly log: Pick<EventLog, 'append' | 'offsets' | 'read'>;
  readonly objects: ObjectStore;
  readonly codecs: {
    readonly mapSquarePlanned: TopicCodec<MapSquarePlanned>;
    readonly mapSquareDrawn: TopicCodec<MapSquareDrawn>;
    readonly deadLetter: TopicCodec<DeadLetter>;
  };
  readonly logger: Logger;
  /** Unique name of this build among all that use the log. */
  readonly buildId: string;
  readonly clock?: () => number;
  /** The build fails after this long without a message. Default: 30 minutes. */
  readonly silenceMs?: number;
}

/** A build over the log has failed. The message names the square and says what to do. */
export class SquareNotDrawn extends Error {
  override readonly name = 'SquareNotDrawn';
}

const pollMs = 100;

interface Waiting {
  readonly resolve: (square: DrawnSquare) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sends build tiles to `meridian tiles work` over the log and receives the finished ones from it. A worker
 * that dies costs the time of its build tile: the log gives it to another worker. A build tile that cannot be
 * rendered is dead-lettered and fails the build.
 */
export class LogShare implements SquareShare {
  readonly #deps: ShareDeps;
  readonly #clock: () => number;
  readonly #silenceMs: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #inputs = new Set<string>();
  readonly #stop = new AbortController();
  readonly #read: Promise<void>;
  #lastResultMs: number;

  private constructor(deps: ShareDeps, from: ReadonlyMap<string, number>) {
    this.#deps = deps;
    this.#clock = deps.clock ?? Date.now;
    this.#silenceMs = deps.silenceMs ?? mapTileLimits.squareSilenceMs;
    this.#lastResultMs = this.#clock();
    this.#read = this.#readResults(new Map(from)).catch((error: Error) => this.#fail(error));
  }

  /** The topics exist already. Messages are received from now on. */
  static async open(deps: ShareDeps): Promise<LogShare> {
    const from = new Map<string, number>();
    for (const { topic } of [deps.codecs.mapSquareDrawn, deps.codecs.deadLetter])
      for (const { partition, end } of await deps.log.offsets(topic.name))
        from.set(`${topic.name}/${partition}`, end);
    return new LogShare(deps, from);
  }

  async draw(input: Parameters<SquareShare['draw']>[0]): Promise<{ readonly drawn: Promise<DrawnSquare> }> {
    const { log, logger, objects, codecs, buildId } = this.#deps;
    const { key: inputKey, bytes } = encodeSquareInput(input);
    this.#inputs.add(inputKey);
    await objects.putIfAbsent(inputKey, bytes);
    const key = `${buildId}/${nameOfSquare(input.root)}`;
    const drawn = new Promise<DrawnSquare>((resolve, reject) => this.#waiting.set(key, { resolve, reject }));
    // The caller awaits it later.
    drawn.catch(() => {});
    const plan: MapSquarePlanned = { buildId, ...input.root, inputKey, plannedMs: this.#clock() };
    const headers = { ce_id: key, ce_source: 'tiles-build', 'content-type': 'application/protobuf' };
    const append = (): Promise<unknown> =>
      log.append(codecs.mapSquarePlanned.topic.name, [
        { key, value: codecs.mapSquarePlanned.encode(plan), headers },
      ]);
    // A temporarily unavailable log does not lose squares of a build. A square that was planned twice is
    // rendered twice, with the same bytes.
    await waitFor('event log', append, { logger, signal: this.#stop.signal, deadlineMs: this.#silenceMs });
    this.#lastResultMs = this.#clock();
    return { drawn };
  }

  /** Stops listening and removes the inputs, which are not needed any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#read;
    for (const key of this.#inputs) await this.#deps.objects.delete(key);
  }

  async #readResults(next: Map<string, number>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#pollResults(next);
      } catch (error) {
        // `silenceMs` limits how long the log may be unavailable.
        if (!(error instanceof LogUnavailable && error.retriable)) throw error;
      }
      if (this.#waiting.size > 0 && this.#clock() - this.#lastResultMs > this.#silenceMs)
        throw new SquareNotDrawn(
          `no square of the map was drawn for ${Math.round(this.#silenceMs / 1_000)} s, ` +
            `${this.#waiting.size} wait: is \`meridian tiles work\` running with the same EVENT_LOG and ` +
            'OBJECTS?',
        );
      await delay(pollMs, undefined, { signal: this.#stop.signal }).catch(() => {});
    }
  }

  async #pollResults(next: Map<string, number>): Promise<void> {
    const { log, codecs } = this.#deps;
    for (const [place, offset] of next) {
      const [topic, partition] = [place.slice(0, place.lastIndexOf('/')), Number(place.split('/').at(-1))];
      for await (const record of log.read(topic, partition, offset)) {
        next.set(place, record.offset + 1);
        if (topic === codecs.mapSquareDrawn.topic.name) this.#drawn(record);
        else this.#dead(record);
      }
    }
  }

  #drawn({ value }: LogRecord): void {
    if (value === null) return;
    const result = this.#decoded(this.#deps.codecs.mapSquareDrawn, value);
    if (result === undefined) return;
    const { buildId, vector, png, cutTiles, ...root } = result;
    if (buildId !== this.#deps.buildId) return;
    this.#lastResultMs = this.#clock();
    const key = `${buildId}/${nameOfSquare(root)}`;
    // Rendered twice if a worker died after its last object, with the same blocks.
    this.#waiting.get(key)?.resolve({ vector, png, cutTiles, keptTiles: 0 });
    this.#waiting.delete(key);
  }

  #dead({ value }: LogRecord): void {
    const { codecs, buildId } = this.#deps;
    if (value === null) return;
    const letter = this.#decoded(codecs.deadLetter, value);
    if (letter?.topic !== codecs.mapSquarePlanned.topic.name) return;
    const key = Buffer.from(letter.key).toString();
    if (!key.startsWith(`${buildId}/`)) return;
    this.#fail(
      new SquareNotDrawn(
        `square ${key.slice(buildId.length + 1)} of the map could not be drawn: ` +
          `${letter.cause} (dead.letter.v1, ${letter.attempts} attempts); mend the cause and build again`,
      ),
    );
  }

  /**
   * Undefined for unreadable records: other programs may write to these topics, and a build does not fail
   * because of them.
   */
  #decoded<Message>(codec: TopicCodec<Message>, value: Uint8Array): Message | undefined {
    try {
      return codec.decode(value);
    } catch (error) {
      this.#deps.logger.warn('a record cannot be read', {
        topic: codec.topic.name,
        cause: (error as Error).message,
      });
      return undefined;
    }
  }

  /** Rejects all waiting squares: the build has failed. */
  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
