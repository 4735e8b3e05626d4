import { BlockList, isIP } from 'node:net';

/** The addresses of the proxies whose `X-Forwarded-…` fields are believed. */
export interface TrustedProxies {
  /** Of a textual IPv4 or IPv6 address; false for anything else. */
  includes(address: string): boolean;
}

const entriesMax = 100;

/**
 * A comma-separated list of addresses and CIDR ranges, such as `10.0.0.0/8,::1`. Throws one sentence for an
 * entry that is neither: a typing error must not open or close the list silently.
 */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  const entries = text.split(',').map((entry) => entry.trim());
  if (text.trim() === '') return undefined;
  if (entries.length > entriesMax) throw new Error(`TRUSTED_PROXIES has more than ${entriesMax} entries.`);
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return {
    includes(address) {
      const version = isIP(address);
      return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const longest = version === 4 ? 32 : 128;
  const isRange = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
  if (version === 0 || rest.length > 0 || (bits !== undefined && !isRange)) {
    throw new Error(`TRUSTED_PROXIES names "${entry}", which is no address and no range like 10.0.0.0/8.`);
  }
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}
