import type { Command } from 'commander';

export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('list every setting with its value, where it comes from and what it is for')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { printConfig } = await import('../programs/config.js');
      printConfig(json === true);
    });
}
