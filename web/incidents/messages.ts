/** Texts about closed and slow roads. */

/** Many roads have no name; a sentence about one still needs a subject. */
export const roadName = (name: string) => (name === '' ? 'Unnamed road' : name);

// The list.
export const incidents = 'Incidents';
export const closeRoad = 'Close a road';
export const clickRoad = 'Click a road…';
export const noIncidents = 'All roads are open.';
export const slow = (road: string) => `${road}, slow`;
export const slowSpeed = (road: string, kph: number) => `${road}, ${kph} km/h`;
export const timeLeft = (duration: string) => `${duration} left`;
export const showOnMap = 'Show on the map';
export const reopen = 'Reopen';
export const reopenRoad = (road: string) => `Reopen ${road}`;
export const legend = 'Map colours';
export const flowing = 'free flow';
export const slower = 'slow';
export const jammed = 'congested';
export const closed = 'closed';
export const navigating = 'navigating';

// Closing a road.
export const confirmClose = (road: string) => `Close ${road === '' ? 'this road' : road}?`;
export const reason = 'Reason';
export const reasonExample = 'Burst water main';
export const duration = 'Duration';
export const durations = [
  { label: '10 minutes', seconds: 600 },
  { label: '30 minutes', seconds: 1_800 },
  { label: '2 hours', seconds: 7_200 },
  { label: '1 day', seconds: 86_400 },
] as const;
export const bothDirections = 'Both directions';
export const forAll = 'Also for walking and bicycling';
export const closing = 'Closing…';
export const closeThisRoad = 'Close this road';
export const cancel = 'Cancel';
export const isClosed = (road: string) => `${road} is closed.`;
export const isOpenAgain = (road: string) => `${road} is open again.`;
export const wasOpen = (road: string) => `${road} was already open.`;
