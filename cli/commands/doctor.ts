import { type Command, InvalidArgumentError } from 'commander';
import { type Repairable, repairable } from '../doctor/repair/repairable.js';

interface DoctorOptions {
  readonly json?: true;
  readonly repair?: true | readonly Repairable[];
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, servers, data, disk, clocks, lag, map and certificates; changes nothing')
    .option('--json', 'a list of {check, state, detail, advice} as JSON')
    .option(
      '--repair [stores]',
      `rebuild from the event log what is damaged, or these stores anyway: ${repairable.join(', ')}; ` +
        'the platform must be stopped',
      stores,
    )
    .addHelpText('after', '\nExit code 1 if a check failed; warnings alone are 0.')
    .action(async ({ json, repair }: DoctorOptions) => {
      const { examine, repairAll } = await import('../programs/doctor.js');
      if (repair === undefined) await examine(json === true);
      else await repairAll(json === true, repair === true ? [] : repair);
    });
}

function stores(text: string): Repairable[] {
  return text.split(',').map((name) => {
    const known = repairable.find((each) => each === name);
    if (known !== undefined) return known;
    throw new InvalidArgumentError(`${name} is none of ${repairable.join(', ')}.`);
  });
}
