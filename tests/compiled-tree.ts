import { fileURLToPath } from 'node:url';

/** Where a script that another process runs finds the compiled packages under `#package/file.js`. */
export const compiledTree = fileURLToPath(new URL('../dist/', import.meta.url));
