const languagesMax = 10;

/**
 * Languages in the order of preference, each followed by itself without a region: `de-AT, en;q=0.5` is
 * `de-AT`, `de`, `en`. Parts that are no language tags are left out, and so is `*`.
 */
export function acceptedLanguages(text: string | undefined): string[] {
  const wanted = (text ?? '')
    .slice(0, 400)
    .split(',')
    .flatMap((part) => {
      const [, tag, quality] =
        /^\s*([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2})\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/.exec(part) ?? [];
      return tag === undefined ? [] : [{ tag: tag.replaceAll('_', '-'), quality: Number(quality ?? 1) }];
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .slice(0, languagesMax);
  return [...new Set(wanted.flatMap(({ tag }) => [tag, tag.split('-')[0]!.toLowerCase()]))];
}
