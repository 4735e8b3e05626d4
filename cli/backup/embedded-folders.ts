import { join } from 'node:path';
import type { Config } from '#platform/config/settings.js';
import { addressesOf } from '../adapters.js';
import { CommandFailed, exitCode } from '../exit.js';

/** Where the embedded stores are; a backup has them below these names. */
export interface EmbeddedFolders {
  readonly log: string;
  readonly schemas: string;
  readonly locations: string;
  readonly objects: string;
  readonly sql: string;
}

const seeDocs = 'See docs/backup.md for the backup of servers.';

/** Throws `CommandFailed` where a setting names a server: a copy of one part would not fit the others. */
export function embeddedFolders(config: Config): EmbeddedFolders {
  const { eventLog, schemaRegistry, locations, objects } = addressesOf(config);
  if (config.HOTEL_SHARDS !== undefined)
    throw new CommandFailed(
      `HOTEL_SHARDS names more databases, which a backup of this folder would miss. ${seeDocs}`,
      exitCode.usage,
    );
  return {
    log: folderOf('EVENT_LOG', eventLog, 'embedded'),
    schemas: folderOf('SCHEMA_REGISTRY_URL', schemaRegistry, 'embedded'),
    locations: folderOf('LOCATIONS', locations, 'lmdb'),
    objects: folderOf('OBJECTS', objects, 'dir'),
    sql: folderOf('SQL', config.SQL ?? `embedded:${join(config.MERIDIAN_DATA, 'sql')}`, 'embedded'),
  };
}

function folderOf(setting: string, address: string, scheme: string): string {
  const [folder = ''] = address.slice(scheme.length + 1).split('?');
  if (address.startsWith(`${scheme}:`)) return folder;
  throw new CommandFailed(
    `${setting} names a server, and this command copies embedded stores only. ${seeDocs}`,
    exitCode.usage,
  );
}
