import { Option } from 'commander';
import { scenarioNames, scenarios } from '#simulated-city/scenarios.js';

export const scenarioOption = (): Option =>
  new Option('--scenario <name>', 'what happens in the simulated city; listed below')
    .choices(scenarioNames)
    .default('usual');

export const scenarioHelp = [
  '\nScenarios:',
  ...scenarioNames.map((name) => `  ${name.padEnd(16)} ${scenarios[name].shows}`),
].join('\n');
