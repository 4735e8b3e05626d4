/** The strong ETag of a version. */
export const tagOf = (version: bigint): string => `"${version}"`;

/** `If-None-Match`: whether the client has this version. */
export function hasVersion(header: string | undefined, version: bigint): boolean {
  return (header?.split(',') ?? []).some((tag) => {
    const trimmed = tag.trim();
    return trimmed === '*' || trimmed.replace(/^W\//, '') === tagOf(version);
  });
}

/** `If-Match`: the version that the client expects, undefined for any. A foreign tag matches no version. */
export function versionAsked(header: string | undefined): bigint | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const digits = /^"(\d{1,18})"$/.exec(header.trim())?.[1];
  return digits === undefined ? -1n : BigInt(digits);
}
