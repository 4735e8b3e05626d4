import { type Command, Option } from 'commander';
import { type Scope, scopes } from '#schemas/http/route-contract.js';
import { CommandFailed, exitCode } from '../exit.js';
import { developmentIssuer } from '../issuer.js';
import { readSettings } from '../read-settings.js';

export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('print a bearer token of the development issuer')
    .requiredOption('--sub <id>', 'whom the token stands for')
    .addOption(new Option('--scope <scope>', 'what it allows').choices(scopes).makeOptionMandatory())
    .option('--ttl <seconds>', 'how long it is valid', '3600')
    .addHelpText(
      'after',
      '\nExample:\n  curl -H "Authorization: Bearer $(npx meridian token --sub me --scope driver)" …',
    )
    .action(async ({ sub, scope, ttl }: { sub: string; scope: Scope; ttl: string }) => {
      const config = readSettings();
      if (config.JWKS_URL !== undefined) {
        throw new CommandFailed('JWKS_URL names another issuer; get the token there.', exitCode.usage);
      }
      const issuer = await developmentIssuer(config);
      console.log(await issuer.issueToken({ sub, scopes: [scope], ttlS: Number(ttl) }));
    });
}
