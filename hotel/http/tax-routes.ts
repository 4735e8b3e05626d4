import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-taxes.js';
import type { Hotel } from '../hotels/hotel.js';
import type { Hotels } from '../hotels/hotels.js';
import { dropTaxes, readTaxes, setTaxes } from '../taxes/hotel-taxes.js';
import { catchUnavailable } from './catch-unavailable.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { parseTaxRules, taxRuleView } from './tax-views.js';

export interface TaxRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
}

/** The taxes and fees of hotels: all clients may read them, operators change them. */
export function taxRoutes({ sql, hotels, now }: TaxRouteDeps): readonly Route[] {
  const show = async (hotel: Hotel): Promise<HttpAnswer> => {
    const { source, rules } = await readTaxes(sql, hotel.hotelId);
    return {
      status: 200,
      body: {
        hotelID: hotel.hotelId,
        source,
        ...(hotel.country === undefined ? {} : { country: hotel.country }),
        rules: rules.map((rule) => taxRuleView(rule, hotel.currency)),
      },
    };
  };
  const withHotel = (hotelId: string, work: (hotel: Hotel) => Promise<HttpAnswer>) =>
    catchUnavailable(async () => {
      const hotel = await hotels.get(hotelId);
      return hotel === undefined ? noHotel() : work(hotel);
    });
  return [
    route(contracts.getHotelTaxes, ({ params }) => withHotel(params.id, show)),
    route(contracts.putHotelTaxes, ({ params, body, identity }) =>
      withHotel(params.id, async (hotel) => {
        const parsed = parseTaxRules(body.rules, hotel.currency);
        if ('errors' in parsed)
          return problem(problems.invalid, messages.badFields, { errors: parsed.errors });
        await setTaxes(sql, hotel.hotelId, parsed.rules, { operatorId: identity.userId, now: now() });
        return show(hotel);
      }),
    ),
    route(contracts.deleteHotelTaxes, ({ params }) =>
      withHotel(params.id, async (hotel) => {
        await dropTaxes(sql, hotel.hotelId);
        return show(hotel);
      }),
    ),
  ];
}
