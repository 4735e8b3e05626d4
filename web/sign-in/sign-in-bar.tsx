import { signInPage } from './page-scopes.js';
import { messages } from './sign-in-messages.js';
import { useGoing, useSessions } from './use-sign-in.js';

/** Who is signed in, and the button for the other state; on the map also what it is for. */
export function SignInBar({ tells = false }: { readonly tells?: boolean }) {
  const { session, ended } = useSessions();
  const { busy, failure, signIn, signOut } = useGoing();
  const isIn = session !== null;
  const who = session === null ? '' : session.name;
  return (
    <div class="sign-in-bar">
      {isIn && (
        <span class="muted" dir="auto">
          {who === null ? messages.signedIn : messages.signedInAs(who)}
        </span>
      )}
      {!isIn && tells && (
        <span class={ended === null ? 'muted' : 'bad'} role={ended === null ? undefined : 'alert'}>
          {ended ?? messages.purposes[signInPage().name]}
        </span>
      )}
      <button type="button" class="link-button" disabled={busy} onClick={() => (isIn ? signOut() : signIn())}>
        {isIn ? messages.signOut : ended === null ? messages.signIn : messages.signInAgain}
      </button>
      {failure !== '' && (
        <p class="bad" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
