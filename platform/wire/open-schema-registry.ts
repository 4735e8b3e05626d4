import { WrongSetting } from '../config/wrong-setting.js';
import { EmbeddedSchemaRegistry } from './embedded-schema-registry.js';
import type { SchemaRegistry } from './schema-registry.js';

/**
 * Opens the registry that `address` names: `embedded:./data/schemas` or the URL of a Confluent-compatible
 * server.
 */
export async function openSchemaRegistry(address: string): Promise<SchemaRegistry> {
  const scheme = address.slice(0, address.indexOf(':') + 1);
  if (scheme === 'embedded:' && address.length > scheme.length)
    return EmbeddedSchemaRegistry.open(address.slice(scheme.length));
  if ((scheme === 'http:' || scheme === 'https:') && URL.canParse(address)) {
    // Loaded only if needed, because it loads a second Protobuf library.
    const { ConfluentSchemaRegistry } = await import('./confluent-schema-registry.js');
    return new ConfluentSchemaRegistry(address);
  }
  throw new WrongSetting(
    `'${address}' is not the address of a schema registry: ` +
      'write embedded:./data/schemas or http://127.0.0.1:8081.',
  );
}
