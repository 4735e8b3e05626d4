import { tableOf } from '../../language/table.js';

/** The texts of the room plan; `plan-messages.en.ts` says where each is used. */
export const messages = await tableOf<typeof import('./plan-messages.en.js')>({
  en: () => import('./plan-messages.en.js'),
  sv: () => import('./plan-messages.sv.js'),
  de: () => import('./plan-messages.de.js'),
});
