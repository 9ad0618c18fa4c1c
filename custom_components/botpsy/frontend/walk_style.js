// How a walk through the rooms looks.

import { css } from "./vendor/lit.min.js";

export const walkStyle = css`
  .because { border-inline-start: 4px solid var(--line); padding: 2px 12px; margin-bottom: 12px; }
  .because.refused { border-color: var(--error-color, #db4437); }
  .because.done { border-color: var(--success-color, #43a047); }
  .because.asked { border-color: var(--info-color, #039be5); }
  .because.failed, .because.unconfirmed { border-color: var(--warning-color, #ffa600); }
  .reason { font-size: 16px; margin: 4px 0; max-width: 68ch; }
  dl { display: grid; grid-template-columns: 96px 1fr; margin: 0; }
  dt { color: var(--soft); padding: 8px 0; border-top: 1px solid var(--line); }
  dd { margin: 0; padding: 8px 0; border-top: 1px solid var(--line); min-width: 0; overflow-wrap: anywhere; }
  .arg { margin-inline-start: 10px; color: var(--soft); }
  @media (max-width: 600px) {
    dl { grid-template-columns: 1fr; }
    dt { padding-bottom: 0; font-weight: 500; }
    dd { border-top: 0; padding-top: 2px; }
    .bar { grid-template-columns: 1fr 72px 5ch; }
  }
`;
