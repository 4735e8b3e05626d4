/** Grey lines in the place of what is being loaded; the text is for those who do not see them. */
export function Skeleton({ text }: { text: string }) {
  return (
    <div class="skeleton">
      <p class="muted">{text}</p>
      <span class="skeleton-line" />
      <span class="skeleton-line skeleton-short" />
    </div>
  );
}
