/** What to know before setting out, and on the way. */
export function Warnings({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} class="bad" role="note">
      {text}
    </p>
  ));
}
