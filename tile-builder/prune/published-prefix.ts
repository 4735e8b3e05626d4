/** Here a prune finds which releases were published since the one before it. */
export const publishedPrefix = 'prune/published/';
