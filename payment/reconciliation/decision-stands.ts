const agreed = (decision: string): string =>
  `(NOT ${decision}.needs_second
    OR EXISTS (SELECT FROM finance_approval a WHERE a.decision_no = ${decision}.decision_no))`;

/** SQL: the decision under this alias was carried out and not reversed. */
export const decisionStands = (decision: string): string =>
  `(${agreed(decision)} AND NOT EXISTS (
    SELECT FROM finance_decision r WHERE r.reverses = ${decision}.decision_no AND ${agreed('r')}))`;
