import { join } from 'node:path';
import type { Config } from '#platform/config/settings.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { EventLogDeps } from '#platform/event-log/event-log-deps.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import type { SchemaRegistry } from '#platform/wire/schema-registry.js';

const dayMs = 86_400_000;

export interface Addresses {
  readonly eventLog: string;
  readonly schemaRegistry: string;
  readonly locations: string;
  readonly cache: string;
  readonly objects: string;
}

/** The address of each port: from the environment, else a folder below MERIDIAN_DATA. */
export function addressesOf(config: Config): Addresses {
  const below = (scheme: string, folder: string): string => `${scheme}:${join(config.MERIDIAN_DATA, folder)}`;
  return {
    eventLog: config.EVENT_LOG ?? below('embedded', 'log'),
    schemaRegistry: config.SCHEMA_REGISTRY_URL ?? below('embedded', 'schemas'),
    locations: config.LOCATIONS ?? below('lmdb', 'locations'),
    cache: config.CACHE,
    objects: config.OBJECTS ?? below('dir', 'objects'),
  };
}

/** `kafka`, `lmdb`, …: the scheme of each address, which holds no secret. */
export function adapterNames(addresses: Addresses): Record<string, string> {
  return Object.fromEntries(
    Object.entries(addresses).map(([port, address]) => [port, address.slice(0, address.indexOf(':'))]),
  );
}

export const openLog = (
  config: Config,
  logger: Logger,
  more: Pick<EventLogDeps, 'watchQueue'> = {},
): Promise<EventLog> => openEventLog(addressesOf(config).eventLog, { logger, ...more });

export const openRegistry = (config: Config): Promise<SchemaRegistry> =>
  openSchemaRegistry(addressesOf(config).schemaRegistry);

export const openLocations = (config: Config): Promise<LocationStore> =>
  openLocationStore(addressesOf(config).locations, { retentionMs: config.RETENTION_DAYS * dayMs });

export const openCache = (config: Config, logger: Logger): Promise<LiveCache> =>
  openLiveCache(addressesOf(config).cache, {
    onError: (error) => logger.warn('the live cache is unavailable', { cause: error.message }),
  });

export function openObjects(config: Config): Promise<ObjectStore> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const keys = accessKeyId !== undefined && secretAccessKey !== undefined;
  return openObjectStore(
    addressesOf(config).objects,
    keys ? { credentials: { accessKeyId, secretAccessKey } } : {},
  );
}
