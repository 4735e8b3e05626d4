import { useEffect, useState } from 'preact/hooks';
import type { SignInProvider } from '#schemas/http/sign-in.js';
import { howToSignIn } from './method.js';
import { signInPage } from './page-scopes.js';
import * as protocol from './protocol.js';
import { endReason, type Session, sessionFor, watchSessions } from './sessions.js';
import { messages } from './sign-in-messages.js';

interface SignInState {
  readonly session: Session | null;
  /** Why it ended; null if it did not. */
  readonly ended: string | null;
}

const now = (): SignInState => ({ session: sessionFor(signInPage().scopes), ended: endReason() });

export function useSessions(): SignInState {
  const [state, setState] = useState(now);
  useEffect(() => watchSessions(() => setState(now())), []);
  return state;
}

interface Going {
  readonly busy: boolean;
  /** Why it did not succeed; empty if nothing failed. */
  readonly failure: string;
  readonly signIn: (address?: string) => void;
  readonly signOut: () => void;
}

/** The way to the provider and back. */
export function useGoing(scopes: readonly string[] = signInPage().scopes): Going {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  // After the browser's back button the page is as it was left: busy.
  useEffect(() => {
    const cameBack = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false);
    addEventListener('pageshow', cameBack);
    return () => removeEventListener('pageshow', cameBack);
  }, []);
  const go = (work: (provider: SignInProvider) => Promise<void>, otherwise?: string) => {
    setBusy(true);
    setFailure('');
    howToSignIn()
      .then(({ provider }) => work(provider!))
      .catch((cause: unknown) => {
        setFailure(otherwise ?? (cause as Error).message);
        setBusy(false);
      });
  };
  return {
    busy,
    failure,
    signIn: (address) => go((provider) => protocol.signIn(provider, scopes, address)),
    signOut: () =>
      go(async (provider) => {
        await protocol.signOut(provider, scopes);
        setBusy(false);
      }, messages.signedOutHere),
  };
}
