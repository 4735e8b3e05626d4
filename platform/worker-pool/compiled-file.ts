import { fileURLToPath } from 'node:url';

const compiled = new URL(import.meta.url.endsWith('.ts') ? '../../dist/' : '../../', import.meta.url);

/**
 * The compiled file of a module such as `routing-engine/tasks/route-worker.js`. Worker threads and child
 * processes need it if TypeScript sources run directly, as in tests.
 */
export const compiledFile = (module: `${string}.js`): string => fileURLToPath(new URL(module, compiled));
