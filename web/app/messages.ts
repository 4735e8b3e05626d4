/** Texts of the frame of the map page: title, server state, panel, notices. */

export const brand = 'Meridian';
export const title = (city: string) => `Meridian · ${city}`;
export const server = {
  connecting: 'connecting',
  answers: 'live',
  silent: 'not responding, retrying',
} as const;
export const collapsePanel = 'Collapse the panel';
export const expandPanel = 'Expand the panel';
export const dismiss = 'Dismiss';
export const mapSource = '© OpenStreetMap contributors';
