import type { Command } from 'commander';
import type { LateOptions } from '../programs/ledger.js';

export function addLedgerCommand(program: Command): void {
  const ledger = program
    .command('ledger')
    .description('verify the ledger, compare it with the provider, prove it');
  ledger
    .command('verify')
    .description('recompute every seal, sequence, balance and chain; exit code 1 if one differs')
    .option('--published', 'also compare with the chain heads in the event log')
    .action(async (options: { readonly published?: true }) => {
      const { verifyBooks } = await import('../programs/ledger.js');
      await verifyBooks(options);
    });
  ledger
    .command('reconcile')
    .description('reconcile a settlement file: check, compare and adjust it, queue the rest for review')
    .argument('<file>', 'a file in the format of docs/formats/settlement-file.md')
    .option('--accept-late <why>', 'reconcile it although it is late; the reason is recorded')
    .option('--by <person>', 'who accepts it; is recorded')
    .action(async (file: string, options: LateOptions) => {
      const { reconcileFile } = await import('../programs/ledger.js');
      await reconcileFile(file, options);
    });
  ledger
    .command('proof')
    .description('print the share of all amounts on which orders, ledger, wallets and settlement agree')
    .action(async () => {
      const { showProof } = await import('../programs/ledger.js');
      await showProof();
    });
}
