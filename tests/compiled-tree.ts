import { fileURLToPath } from 'node:url';

/** Where a script in another process finds the compiled packages, as `#package/file.js`. */
export const compiledTree = fileURLToPath(new URL('../dist/', import.meta.url));
