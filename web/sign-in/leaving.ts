/** Event of the window: the page leaves for a sign-in, and the person will come back to it. */
export const leavingForSignIn = 'meridian-leaving';
