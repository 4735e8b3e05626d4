import { readDatex2 } from '../datex2/read-datex2.js';
import type { ReadFeed } from '../events/road-event.js';
import { readWzdx } from '../wzdx/read-wzdx.js';
import type { EventFormat } from './feed-format.js';

/** Throws `InvalidFeed`. */
export const readFeed = (format: EventFormat, text: string): ReadFeed =>
  format === 'wzdx' ? readWzdx(text) : readDatex2(text);
