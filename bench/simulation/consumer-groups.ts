import { areInLedger, bookInLedger, bookInWallet, transferOf } from '#payment/orders/book-change.js';
import type { Sql } from '#platform/sql/sql.js';
import type { Outcome } from '#platform/stream/outcome.js';
import type { PaymentOrderChanged } from '#schemas/messages.js';
import type { CityWorld, ConsumerGroup } from './city-world.js';

const recordsAtOnce = 20;

/** One poll of a group. Unprocessed records are redelivered. */
export async function poll({ log }: Pick<CityWorld, 'log'>, group: ConsumerGroup): Promise<void> {
  const records = log.next(group.name, group.topic, recordsAtOnce);
  if (records.length > 0)
    log.move(group.name, group.topic, await group.step(records.map(({ value }) => value)));
}

export function groupOf<Message>(
  name: string,
  codec: { readonly topic: { readonly name: string }; decode(value: Uint8Array): Promise<Message> | Message },
  step: (messages: readonly Message[]) => Promise<number>,
): ConsumerGroup {
  return {
    name,
    topic: codec.topic.name,
    step: async (values) => {
      const messages: Message[] = [];
      for (const value of values) messages.push(await codec.decode(value));
      return step(messages);
    },
  };
}

/** What the ledger refuses is dead-lettered. */
export const bookedInLedger =
  ({ clock, counts }: CityWorld, sql: Sql) =>
  async (changes: readonly PaymentOrderChanged[]): Promise<number> => {
    const booked = await sql.transaction((tx) => bookInLedger(tx, changes, clock.nowMs));
    if (!booked.some(({ kind }) => kind === 'refused')) return changes.length;
    counts.deadLetters += 1;
    for (const change of changes) await sql.transaction((tx) => bookInLedger(tx, [change], clock.nowMs));
    return changes.length;
  };

/** What the ledger does not have yet stops the group there. */
export const bookedInWallet =
  ({ clock }: CityWorld, sql: Sql) =>
  async (changes: readonly PaymentOrderChanged[]): Promise<number> => {
    const first = (await areInLedger(sql, changes)).indexOf(false);
    const done = first === -1 ? changes.length : first;
    const moving = changes.slice(0, done).filter((change) => transferOf(change) !== undefined);
    if (moving.length > 0) await sql.transaction((tx) => bookInWallet(tx, moving, clock.nowMs));
    return done;
  };

export function doneWith({ counts }: CityWorld, outcomes: readonly Outcome[]): number {
  counts.deadLetters += outcomes.filter(({ kind }) => kind === 'deadLetter').length;
  return outcomes.length;
}
