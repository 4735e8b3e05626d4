import type { Command } from 'commander';
import { wholeNumber } from '../options/arguments.js';

export function addPaymentCommand(program: Command): void {
  const payment = program
    .command('payment')
    .description('run only the payment service, or inspect its dead letters')
    .action(async () => {
      const { runPayment } = await import('../programs/payment.js');
      await runPayment();
    });
  payment
    .command('proof')
    .description('compare rooms, reservations and money: prints the proven share and every mismatch')
    .action(async () => {
      const { showPaymentProof } = await import('../programs/payment-proof.js');
      await showPaymentProof();
    });
  const deadLetters = payment
    .command('dlq')
    .description('dead letters: payments and refunds that were not completed');
  deadLetters
    .command('list')
    .description('list those that need a person, newest first')
    .option('--json', 'one JSON object per line')
    .option('--all', 'include those already retried, and failures that need nobody')
    .action(async (options: { readonly json?: boolean; readonly all?: boolean }) => {
      const { listPaymentDeadLetters } = await import('../programs/payment-dead-letters.js');
      await listPaymentDeadLetters(options);
    });
  deadLetters
    .command('show')
    .argument('<id>', 'number of the dead letter', wholeNumber)
    .description('show one with the history of its payment order')
    .action(async (id: number) => {
      const { showPaymentDeadLetter } = await import('../programs/payment-dead-letters.js');
      await showPaymentDeadLetter(id);
    });
  deadLetters
    .command('replay')
    .argument('<id>', 'number of the dead letter', wholeNumber)
    .requiredOption('--by <person>', 'who decided it; is recorded')
    .description('retry a refund, or replace a payment order whose retries were used up by a new one')
    .action(async (id: number, { by }: { readonly by: string }) => {
      const { replayPaymentDeadLetter } = await import('../programs/payment-dead-letters.js');
      await replayPaymentDeadLetter(id, by);
    });
}
