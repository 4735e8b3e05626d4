/** Warnings before and during a trip. */
export function Warnings({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} class="bad" role="note">
      {text}
    </p>
  ));
}
