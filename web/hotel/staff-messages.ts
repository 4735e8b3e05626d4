import { tableOf } from '../language/table.js';

/** The texts of the staff pages; `staff-messages.en.ts` says where each is used. */
export const messages = await tableOf<typeof import('./staff-messages.en.js')>({
  en: () => import('./staff-messages.en.js'),
  sv: () => import('./staff-messages.sv.js'),
  de: () => import('./staff-messages.de.js'),
});
