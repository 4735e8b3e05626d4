import { render } from 'preact';
import '../style/tokens.css';
import '../style/panel.css';
import './stay.css';
import { language } from '../language/language.js';
import { failureOf, SignInFailed } from '../sign-in/failures.js';
import { howToSignIn } from '../sign-in/method.js';
import { finishSignIn, takeAttempt } from '../sign-in/protocol.js';
import { messages } from '../sign-in/sign-in-messages.js';
import { useGoing } from '../sign-in/use-sign-in.js';

/** Where the provider sends the browser: it goes on to the page of the sign-in, or says why not. */

interface FailedProps {
  readonly reason: string;
  readonly address: string | null;
  readonly scopes: readonly string[];
}

function Failed({ reason, address, scopes }: FailedProps) {
  const { busy, failure, signIn } = useGoing(scopes);
  return (
    <section class="card sign-in-card" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{messages.failedTitle}</h2>
      <p class="bad" role="alert">
        {failure === '' ? reason : failure}
      </p>
      {address === null ? (
        <a href="/">{messages.toMap}</a>
      ) : (
        <>
          <button type="button" class="main-button" disabled={busy} onClick={() => signIn(address)}>
            {messages.signInAgain}
          </button>
          <a href={address}>{messages.back}</a>
        </>
      )}
    </section>
  );
}

function Frame({ failed }: { readonly failed: FailedProps | null }) {
  return (
    <>
      <header class="stay-head">
        <h1>
          Meridian <span class="stay-brand">{messages.brand}</span>
        </h1>
      </header>
      <main class="stay-main">
        {failed === null ? <p role="status">{messages.finishing}</p> : <Failed {...failed} />}
      </main>
    </>
  );
}

async function finish(): Promise<void> {
  const page = document.getElementById('page') as HTMLElement;
  const url = new URL(location.href);
  // The code is used once, and stays in no history.
  history.replaceState(null, '', location.pathname);
  const attempt = takeAttempt();
  render(<Frame failed={null} />, page);
  try {
    if (attempt === null) throw new SignInFailed('mismatch');
    if (attempt.kind === 'in') {
      const { provider } = await howToSignIn();
      if (provider === null) throw new SignInFailed('provider');
      await finishSignIn(provider, attempt, url);
    }
    location.replace(attempt.address);
  } catch (cause) {
    const { message } = failureOf(cause);
    const scopes = attempt?.scopes ?? [];
    render(<Frame failed={{ reason: message, address: attempt?.address ?? null, scopes }} />, page);
  }
}

document.documentElement.lang = language;
document.title = messages.pageTitle;
await finish();
