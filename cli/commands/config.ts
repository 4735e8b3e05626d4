import type { Command } from 'commander';

export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('list every setting with its value, source and purpose')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { printConfig } = await import('../programs/config.js');
      printConfig(json === true);
    });
}
