import type { ComponentChildren } from 'preact';
import { setProblemTexts } from '../http/ask.js';
import { messages } from './messages.js';
import type { Loaded } from './use-loaded.js';

setProblemTexts(messages.problems);

interface FrameProps {
  readonly brand: string;
  /** Text and address; the one that is shown now is marked. */
  readonly links: readonly (readonly [string, string])[];
  readonly here: string;
  readonly children: ComponentChildren;
}

/** The frame of all pages: the name, the links, one main landmark. */
export function Frame({ brand, links, here, children }: FrameProps) {
  return (
    <>
      <header class="stay-head">
        <h1>
          Meridian <span class="stay-brand">{brand}</span>
        </h1>
        <nav aria-label={messages.mainNavigation}>
          {links.map(([text, address]) => (
            <a
              key={address}
              href={address}
              {...(address === here ? { 'aria-current': 'page' as const } : {})}
            >
              {text}
            </a>
          ))}
        </nav>
      </header>
      <main class="stay-main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** The loaded content, or a text about its state. */
export function Shown<Value>({
  state,
  children,
}: {
  readonly state: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  switch (state.kind) {
    case 'loading':
      return <p class="muted">{messages.loading}</p>;
    case 'failed':
      return (
        <p class="bad" role="alert">
          {state.reason}
        </p>
      );
    case 'there':
      return <>{children(state.value)}</>;
  }
}
