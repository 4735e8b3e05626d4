/** One batch of `[lat, lng, timestamp]`, sent once. */
export const postLocations = (
  url: string,
  token: string,
  locs: readonly (readonly number[])[],
  batchId?: string,
): Promise<Response> =>
  fetch(`${url}/v1/locations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...(batchId === undefined ? {} : { batch_id: batchId }), locs }),
  });
