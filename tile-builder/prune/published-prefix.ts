/** Under this prefix a prune finds the releases that were published since the previous one. */
export const publishedPrefix = 'prune/published/';
