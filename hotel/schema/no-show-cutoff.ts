/** From when on, on the day after arrival, a guest who has not come is a no-show; NULL: staff decide. */
export const noShowCutoff = `
ALTER TABLE hotel_house_rules ADD COLUMN no_show_at time;
`;
