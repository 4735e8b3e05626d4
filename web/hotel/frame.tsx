import type { ComponentChildren } from 'preact';
import { setProblemTexts } from '../http/ask.js';
import { useProvider } from '../sign-in/use-provider.js';
import { Skeleton } from '../ui/skeleton.js';
import { ConnectionLine } from './connection-line.js';
import { messages } from './messages.js';
import type { Failed, Loaded } from './use-loaded.js';

setProblemTexts(messages.problems);

interface FrameProps {
  readonly brand: string;
  /** Text and address; the one that is shown now is marked. */
  readonly links: readonly (readonly [string, string])[];
  readonly here: string;
  /** The view is of what belongs to a person: without a sign-in there is nothing to show. */
  readonly personal?: boolean;
  /** The page says by itself that it lacks a network or an answer. */
  readonly saysConnection?: boolean;
  readonly children: ComponentChildren;
}

/** The frame of all pages: the name, the links, one main landmark. */
export function Frame({ brand, links, here, personal = true, saysConnection = false, children }: FrameProps) {
  const provider = useProvider();
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
        {provider !== null && <provider.SignInBar />}
      </header>
      {!saysConnection && <ConnectionLine />}
      <main class="stay-main" tabIndex={-1}>
        {provider === null ? (
          children
        ) : (
          <provider.SignInGate required={personal}>{children}</provider.SignInGate>
        )}
      </main>
    </>
  );
}

/** Why something is not there, and what loads it again. */
function NotLoaded({ reason, again }: Failed) {
  return (
    <div class="not-loaded" role="alert">
      <p class="bad">{reason}</p>
      {again !== undefined && (
        <button type="button" class="link-button" onClick={again}>
          {messages.retry}
        </button>
      )}
    </div>
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
      return <Skeleton text={messages.loading} />;
    case 'failed':
      return <NotLoaded {...state} />;
    case 'there':
      return <>{children(state.value)}</>;
  }
}
