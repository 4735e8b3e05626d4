/** Details of refused requests that the server and the routes of several services give. */
export const badQuery = 'Query parameters are invalid.';
export const badFields = 'Fields of the body are invalid.';
