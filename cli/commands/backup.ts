import type { Command } from 'commander';
import type { RestoreOptions } from '../programs/restore.js';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .argument('<folder>', 'a new folder, which becomes the backup')
    .description('copy all embedded stores of MERIDIAN_DATA, consistently, also while programs use them')
    .option('--json', 'the result as JSON')
    .addHelpText('after', '\nExample:\n  npx meridian backup /backups/$(date +%F)\n\nSee docs/backup.md.')
    .action(async (folder: string, { json }: { readonly json?: true }) => {
      const { backUp } = await import('../programs/backup.js');
      await backUp(folder, json === true);
    });
  program
    .command('restore')
    .argument('<backup>', 'a folder that `meridian backup` made')
    .description('restore a backup into an empty folder; checks every byte of it')
    .option('--to <folder>', 'an absent or empty folder; default: MERIDIAN_DATA')
    .option('--installation <id>', 'refuse a backup of another installation')
    .option('--check', 'restore nothing, only read the whole backup and compare it with its checksums')
    .option('--json', 'the result as JSON')
    .addHelpText('after', '\nExample:\n  npx meridian restore /backups/2026-11-27 --to ./data-restored')
    .action(async (backup: string, options: RestoreOptions) => {
      const { restore } = await import('../programs/restore.js');
      await restore(backup, options);
    });
}
