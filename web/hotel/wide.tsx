import type { ComponentChildren } from 'preact';

interface WideProps {
  /** What it shows, for a screen reader. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What may be wider than the screen: it scrolls in itself, also by keyboard. */
export function Wide({ label, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus no key scrolls it.
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
