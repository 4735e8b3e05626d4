import { DirectoryObjectStore } from './directory-object-store.js';
import type { ObjectStore } from './object-store.js';
import { S3ObjectStore } from './s3-object-store.js';
import type { S3Bucket, S3Credentials } from './s3-request.js';

/**
 * Opens the store that `address` names: `dir:./data/objects` or
 * `s3://bucket?endpoint=http://127.0.0.1:9000&region=eu-north-1` (without an endpoint Amazon's own). Rejects
 * with a sentence for a malformed address. A bucket is not contacted before the first call, so the store may
 * start later.
 */
export async function openObjectStore(
  address: string,
  deps: { readonly credentials?: S3Credentials } = {},
): Promise<ObjectStore> {
  const scheme = address.slice(0, address.indexOf(':') + 1);
  switch (scheme) {
    case 'dir:': {
      const folder = address.slice(scheme.length);
      if (folder === '')
        throw new Error('The address of the object store has no folder: write dir:./data/objects.');
      return DirectoryObjectStore.open(folder);
    }
    case 's3:':
      if (deps.credentials === undefined) {
        throw new Error(
          'An object store at s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both.',
        );
      }
      return new S3ObjectStore(bucketOf(address), deps.credentials);
    default:
      throw new Error(`The address of the object store must start with dir: or s3://, not with '${scheme}'.`);
  }
}

function bucketOf(address: string): S3Bucket {
  const example = 's3://bucket?endpoint=http://127.0.0.1:9000&region=us-east-1';
  const fault = (what: string) => new Error(`The address of the object store ${what}: write ${example}.`);
  if (!URL.canParse(address)) throw fault('is malformed');
  const url = new URL(address);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host)) throw fault('has no valid bucket');
  if (url.pathname !== '' && url.pathname !== '/') throw fault('has a path after the bucket');
  if (url.username !== '' || url.password !== '') throw fault('must not contain keys');
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') throw fault(`has the unknown parameter '${name}'`);
  }
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint))
    throw fault('has a malformed endpoint');
  const region = url.searchParams.get('region') ?? 'us-east-1';
  return { bucket: url.host, region, ...(endpoint === undefined ? {} : { endpoint }) };
}
