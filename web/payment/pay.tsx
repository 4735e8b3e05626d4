import { render } from 'preact';
import '../style/tokens.css';
import '../style/panel.css';
import '../hotel/stay.css';
import './payment.css';
import { Frame } from '../hotel/frame.js';
import { addressOf, useAddress } from '../hotel/use-address.js';
import { language } from '../language/language.js';
import { Skeleton } from '../ui/skeleton.js';
import { CheckoutForm } from './checkout-form.js';
import { messages } from './messages.js';
import { backFromProvider, StatusPage } from './status-page.js';

const links = [
  [messages.checkout, addressOf('checkout')],
  [messages.payment, addressOf('status')],
  [messages.hotels, '/stay/'],
] as const;

function Pay() {
  const [place = 'checkout'] = useAddress();
  return (
    <Frame brand={messages.brand} links={links} here={addressOf(place)}>
      {place === 'status' ? <StatusPage /> : <CheckoutForm />}
    </Frame>
  );
}

document.documentElement.lang = language;
document.title = `Meridian ${messages.brand}`;
const page = document.getElementById('page') as HTMLElement;
render(
  <Frame brand={messages.brand} links={links} here={addressOf('status')}>
    <Skeleton text={messages.loading} />
  </Frame>,
  page,
);
await backFromProvider();
render(<Pay />, page);
