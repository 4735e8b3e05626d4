import type { ComponentChildren } from 'preact';
import { signInPage } from './page-scopes.js';
import { messages } from './sign-in-messages.js';
import { useGoing, useSessions } from './use-sign-in.js';

interface SignInGateProps {
  /** The view shows nothing to somebody who is not signed in. */
  readonly required: boolean;
  readonly children: ComponentChildren;
}

/**
 * The view, or the way to sign in. When a sign-in ends, the view stays as it is below the way back: somebody
 * may have typed into it.
 */
export function SignInGate({ required, children }: SignInGateProps) {
  const { session, ended } = useSessions();
  if (session !== null || (ended === null && !required)) return <>{children}</>;
  return (
    <>
      <SignInCard ended={ended} />
      {ended !== null && children}
    </>
  );
}

/** Of one step of a view that is open to all, inside its gate: that has the way back to an ended sign-in. */
export function SignInFirst({ children, onBack }: { children: ComponentChildren; onBack: () => void }) {
  const { session, ended } = useSessions();
  if (session !== null || ended !== null) return <>{children}</>;
  return <SignInCard ended={null} onBack={onBack} />;
}

interface SignInCardProps {
  /** Why it ended; null if it did not. */
  readonly ended: string | null;
  readonly onBack?: () => void;
}

function SignInCard({ ended, onBack }: SignInCardProps) {
  const { busy, failure, signIn } = useGoing();
  return (
    <section class="card sign-in-card" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{ended === null ? messages.signIn : messages.signInAgain}</h2>
      <p role={ended === null ? undefined : 'alert'}>{ended ?? messages.purposes[signInPage().name]}</p>
      {failure !== '' && (
        <p class="bad" role="alert">
          {failure}
        </p>
      )}
      <button type="button" class="main-button" disabled={busy} onClick={() => signIn()}>
        {ended === null ? messages.signIn : messages.signInAgain}
      </button>
      {onBack !== undefined && (
        <button type="button" class="main-button quiet" onClick={onBack}>
          {messages.back}
        </button>
      )}
    </section>
  );
}
