/** Formats of feeds that can be read. */
export const feedFormats = ['wzdx', 'datex2'] as const;
export type FeedFormat = (typeof feedFormats)[number];
