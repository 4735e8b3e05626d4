/** Formats of feeds with events. */
const eventFormats = ['wzdx', 'datex2'] as const;
export type EventFormat = (typeof eventFormats)[number];

/** Formats of feeds that can be read: with events, or with speeds between nodes. */
export const feedFormats = [...eventFormats, 'osrm-speeds'] as const;
export type FeedFormat = (typeof feedFormats)[number];
