import type { CityProcess, CityWorld } from './city-world.js';

/** After this time without an answer, the request counts as unanswered. */
const timeoutMs = 8_000;

/** Repeats a request until there is an answer, as apps do. */
export async function retryUntilAnswered<Answer>(
  world: CityWorld,
  ask: (process: CityProcess) => Promise<Answer>,
): Promise<Answer> {
  const { clock, random } = world;
  for (;;) {
    world.scheduleJobs();
    const answer = await Promise.race([
      ask(world.process).then(
        (value) => ({ value }),
        () => undefined,
      ),
      clock.delay(timeoutMs),
    ]);
    if (answer !== undefined) return answer.value;
    await clock.delay(500 + random() * 2_000);
  }
}

/** Waits before paying: some buyers pay before the provider's slow answer to the registration arrives. */
export async function waitBeforePaying({ clock, random }: CityWorld): Promise<void> {
  await clock.delay(random() < 0.3 ? 500 + random() * 2_000 : 5_000 + random() * 60_000);
}

/** The buyer's action on the provider's page, when it exists: usually they pay, if their cards are good. */
export async function payOnPage(
  { clock, random, provider, scheduleJobs }: CityWorld,
  nonce: string,
  isPoor = false,
): Promise<void> {
  const { book } = provider;
  for (let polls = 0; polls < 40 && book.payments.get(nonce) === undefined; polls += 1)
    await clock.delay(500 + 4_500 * random());
  if (book.payments.get(nonce) === undefined) return;
  scheduleJobs();
  const luck = isPoor ? 0.75 : random();
  // Rarely, the provider charges another amount than was ordered: it is booked as it is, and goes back.
  if (luck < 0.03) book.force(nonce, 'captured', undefined, '9900');
  else if (luck < 0.7) book.pay(nonce, { result: 'captured' }, undefined, 'page');
  else if (luck < 0.8) book.pay(nonce, { result: 'declined', code: 'card_declined' }, undefined, 'page');
  else if (luck < 0.92) {
    book.pay(nonce, { result: 'processing' }, undefined, 'page');
    // Sometimes the bank answers after everything is over.
    await clock.delay(random() * 25 * 60_000);
    provider.bankAnswers(nonce, random() < 0.8 ? 'captured' : 'declined');
  }
}
