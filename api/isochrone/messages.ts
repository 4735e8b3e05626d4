/** Texts about isochrones. */
export const messages = {
  notJson: 'is not JSON',
  oneLimit: 'must have either time or distance',
  otherCosting: (costing: string) => `is not for costing ${costing}`,
  noRoad: (costing: string, metres: number) => `no road for ${costing} is within ${metres} m`,
  tooLarge: 'the area has too many roads; use a smaller time or distance',
  moved: (metres: number) => `The area begins ${metres} m from the place: closer roads lead nowhere else.`,
} as const;
