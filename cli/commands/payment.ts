import type { Command } from 'commander';
import { wholeNumber } from '../options/arguments.js';

export function addPaymentCommand(program: Command): void {
  const payment = program
    .command('payment')
    .description('run the payment service alone, or look at what it gave up')
    .action(async () => {
      const { runPayment } = await import('../programs/payment.js');
      await runPayment();
    });
  payment
    .command('proof')
    .description('rooms, reservations and money against each other: one figure, and what is not proven')
    .action(async () => {
      const { showPaymentProof } = await import('../programs/payment-proof.js');
      await showPaymentProof();
    });
  const deadLetters = payment.command('dlq').description('payments and refunds that were given up');
  deadLetters
    .command('list')
    .description('those that nobody re-drove yet, oldest first')
    .option('--json', 'one JSON object a line')
    .option('--all', 'also those that were re-driven')
    .action(async (options: { readonly json?: boolean; readonly all?: boolean }) => {
      const { listPaymentDeadLetters } = await import('../programs/payment-dead-letters.js');
      await listPaymentDeadLetters(options);
    });
  deadLetters
    .command('show')
    .argument('<id>', 'number of the dead letter', wholeNumber)
    .description('one of them, with the history of its payment order')
    .action(async (id: number) => {
      const { showPaymentDeadLetter } = await import('../programs/payment-dead-letters.js');
      await showPaymentDeadLetter(id);
    });
  deadLetters
    .command('replay')
    .argument('<id>', 'number of the dead letter', wholeNumber)
    .requiredOption('--by <person>', 'who decided it; stands in the table')
    .description('try a refund again; a payment order that failed is final and needs a new order')
    .action(async (id: number, { by }: { readonly by: string }) => {
      const { replayPaymentDeadLetter } = await import('../programs/payment-dead-letters.js');
      await replayPaymentDeadLetter(id, by);
    });
}
