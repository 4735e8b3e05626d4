import { type Command, Option } from 'commander';
import { type Scope, scopes } from '#schemas/http/route-contract.js';
import { wholeNumber } from '../options/arguments.js';

interface TokenOptions {
  readonly sub: string;
  readonly scope: Scope;
  readonly property?: readonly string[];
  readonly ttl: number;
}

export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('print a bearer token of the development issuer')
    .requiredOption('--sub <id>', 'the user id in the token')
    .addOption(new Option('--scope <scope>', 'what the token allows').choices(scopes).makeOptionMandatory())
    .option('--property <id...>', 'the hotels to which staff are limited; default: all')
    .option('--ttl <seconds>', 'its lifetime', wholeNumber, 3_600)
    .addHelpText(
      'after',
      '\nExample:\n  curl -H "Authorization: Bearer $(npx meridian token --sub me --scope driver)" …',
    )
    .action(async ({ sub, scope, property = [], ttl }: TokenOptions) => {
      const { printToken } = await import('../programs/token.js');
      await printToken({ sub, scopes: [scope], properties: property, ttlS: ttl });
    });
}
