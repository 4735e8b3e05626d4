import type { EventLog } from '#platform/event-log/event-log.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { NavigationProgress } from '#schemas/messages.js';
import { progressEveryMs } from '../http/limits.js';

/**
 * Collects positions and writes them in batches. The newest position of each navigation replaces the previous
 * one, so the number of waiting positions is bounded by the navigations, however fast a client sends.
 * Positions are advisory: when the log cannot accept them they are dropped, and newer ones follow.
 */
export class ProgressWriter {
  readonly #log: EventLog;
  readonly #codec: TopicCodec<NavigationProgress>;
  readonly #logger: Logger;
  readonly #waiting = new Map<string, NavigationProgress>();
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> | undefined;

  constructor(log: EventLog, codec: TopicCodec<NavigationProgress>, logger: Logger) {
    this.#log = log;
    this.#codec = codec;
    this.#logger = logger;
    this.#timer = setInterval(() => this.flush(), progressEveryMs);
  }

  put(progress: NavigationProgress): void {
    this.#waiting.set(progress.navigationId, progress);
  }

  /** Writes the waiting positions, unless the previous write is still in progress. */
  flush(): void {
    if (this.#waiting.size === 0 || this.#writing !== undefined) return;
    const records = [...this.#waiting.values()].map((progress) => ({
      key: progress.userId,
      value: this.#codec.encode(progress),
    }));
    this.#waiting.clear();
    this.#writing = this.#log
      .append(this.#codec.topic.name, records)
      .then(() => undefined)
      .catch((error: unknown) =>
        this.#logger.warn('navigation positions dropped', {
          count: records.length,
          cause: String(error),
        }),
      )
      .finally(() => {
        this.#writing = undefined;
      });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    this.flush();
    await this.#writing;
  }
}
