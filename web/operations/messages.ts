import { tableOf } from '../language/table.js';

/** The texts of the operations page; `messages.en.ts` says where each is used. */
export const messages = await tableOf<typeof import('./messages.en.js')>({
  en: () => import('./messages.en.js'),
  sv: () => import('./messages.sv.js'),
  de: () => import('./messages.de.js'),
});
