import { openLogAndCodecs, runMeridian } from '../context.js';
import { openListeners, tokenIssuer } from '../start/serve.js';
import { openPaymentSql, startPayment } from '../start/start-payment.js';

export const runPayment = (): Promise<void> =>
  runMeridian('payment', async (context) => {
    const issuer = await tokenIssuer(context);
    const listeners = await openListeners(context, issuer);
    const events = await openLogAndCodecs(context);
    const sql = await openPaymentSql(context);
    const { routes } = await startPayment(context, events, sql, listeners);
    listeners.serve({ routes });
  });
