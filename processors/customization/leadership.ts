import type { Consumer, EventLog } from '#platform/event-log/event-log.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { TopicContract } from '#schemas/topics.js';
import type { Running } from '../start-group.js';

export interface LeadershipOptions {
  readonly log: EventLog;
  readonly logger: Logger;
  readonly group: string;
  /** A topic of one partition. */
  readonly topic: TopicContract;
  /** Does the work for as long as this process leads. */
  readonly start: () => Promise<Running>;
}

/**
 * Of all processes that run this, one works and the others stand by: the process that holds the single
 * partition of a topic leads. When it dies, the log gives the partition to another. A leader that was only
 * paused may still write after that, so each write needs its own fencing.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  #consumer: Consumer | undefined;
  #running: Running | undefined;
  /** Starts and stops, one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #isLeader = false;

  static async open(options: LeadershipOptions): Promise<Leadership> {
    const leadership = new Leadership(options);
    const { log, group, topic, logger } = options;
    leadership.#consumer = await log.consume({
      group,
      topics: [topic.name],
      startAt: 'latest',
      // Only the assignment of the partition matters.
      onBatch: () => Promise.resolve(),
      onAssigned: async () => {
        leadership.#change(true);
        return [];
      },
      onRevoked: async () => {
        leadership.#change(false);
        await leadership.#turn;
      },
      onError: (error) => logger.warn('the leadership is uncertain', { group, cause: error.message }),
    });
    return leadership;
  }

  private constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  /** Resolves when the work has caught up, or another process leads. */
  async ready(): Promise<void> {
    await this.#consumer?.ready;
    await this.#turn;
    await this.#running?.ready;
  }

  async close(): Promise<void> {
    await this.#consumer?.close();
    this.#change(false);
    await this.#turn;
  }

  #change(isLeader: boolean): void {
    this.#isLeader = isLeader;
    this.#turn = this.#turn
      .then(() => this.#follow())
      .catch((error: Error) =>
        this.#options.logger.error('the work of the leader could not start or stop', {
          group: this.#options.group,
          cause: error.message,
        }),
      );
  }

  async #follow(): Promise<void> {
    const { group, logger, start } = this.#options;
    if (this.#isLeader && this.#running === undefined) {
      this.#running = await start();
      logger.info('this process leads', { group });
    } else if (!this.#isLeader && this.#running !== undefined) {
      const running = this.#running;
      this.#running = undefined;
      await running.close();
      logger.info('this process is on standby', { group });
    }
  }
}
