import { type CityOptions, simulateCity } from './simulation/simulate-city.js';

/**
 * One city: `{"seed":1,"hours":6,"guests":30,"buyers":20}` as the argument; the report is one line of JSON.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as Partial<CityOptions>;
console.log(JSON.stringify(await simulateCity({ seed: 1, hours: 6, guests: 30, buyers: 20, ...options })));
process.exit(0);
