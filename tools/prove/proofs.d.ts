/** What `npm run prove` runs, the cheapest first. */
export const proofs: readonly { readonly name: string; readonly rows: readonly string[] }[];
