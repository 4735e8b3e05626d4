import type { Command } from 'commander';

export function addLedgerCommand(program: Command): void {
  const ledger = program
    .command('ledger')
    .description('the books: verified, compared with the provider, proven');
  ledger
    .command('verify')
    .description('compute every seal, sequence, balance and chain again; exit code 1 when one differs')
    .option('--published', 'also against the roots that were told to the log since it is kept')
    .action(async (options: { readonly published?: true }) => {
      const { verifyBooks } = await import('../programs/ledger.js');
      await verifyBooks(options);
    });
  ledger
    .command('reconcile')
    .description('take a settlement file: check it whole, compare, adjust, queue the rest')
    .argument('<file>', 'as docs/formats/settlement-file.md has it')
    .action(async (file: string) => {
      const { reconcileFile } = await import('../programs/ledger.js');
      await reconcileFile(file);
    });
  ledger
    .command('proof')
    .description('the share of all cents that orders, ledger, wallets and settlement agree on')
    .action(async () => {
      const { showProof } = await import('../programs/ledger.js');
      await showProof();
    });
}
