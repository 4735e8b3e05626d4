import { simulateCity } from './simulation/simulate-city.js';

/** One seed, in a process of its own: `SEED HOURS GUESTS BUYERS`; the report is one line of JSON. */
const [seed = 1, hours = 6, guests = 60, buyers = 40] = process.argv.slice(2).map(Number);
console.log(JSON.stringify(await simulateCity({ seed, hours, guests, buyers })));
process.exit(0);
