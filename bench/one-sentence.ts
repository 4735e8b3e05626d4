import { Missing } from './missing.js';

/** Imported before each benchmark: what is missing is a sentence, everything else keeps its stack. */
process.on('uncaughtException', (error: unknown) => {
  console.error(error instanceof Missing ? error.message : error);
  process.exit(error instanceof Missing ? 2 : 1);
});
