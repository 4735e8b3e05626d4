import { register } from 'node:module';
import { plantedBugs } from './planted-bugs.js';

/**
 * Loaded before the simulation, with the number of a bug in `PLANTED_BUG`: its module is changed while it is
 * read.
 */
const bug = plantedBugs[Number(process.env['PLANTED_BUG'])];
if (bug !== undefined) register('./changed-source.js', import.meta.url, { data: bug });
