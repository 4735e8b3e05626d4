/** Texts about failed requests. A problem document of the server comes first. */

export const busy = 'The server is busy. Try again in a moment.';
export const status = (code: number) => `The server returned status ${code}.`;
export const notResponding = 'The server is not responding.';
export const noDemoToken = 'The server did not issue a demo token.';
