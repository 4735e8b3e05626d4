import { register } from 'node:module';
import type { PlantedBug } from './planted-bugs.js';

/** Loaded before a simulation, with a bug as JSON in `PLANTED_BUG`: its module is changed when it loads. */
const text = process.env['PLANTED_BUG'];
if (text !== undefined)
  register('./changed-source.js', import.meta.url, { data: JSON.parse(text) as PlantedBug });
