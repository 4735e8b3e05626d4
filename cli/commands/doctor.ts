import type { Command } from 'commander';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, servers, data, disk, clocks, lag, map and certificates; changes nothing')
    .option('--json', 'a list of {check, state, detail, advice} as JSON')
    .addHelpText('after', '\nExit code 1 if a check failed; warnings alone are 0.')
    .action(async ({ json }: { readonly json?: true }) => {
      const { examine } = await import('../programs/doctor.js');
      await examine(json === true);
    });
}
