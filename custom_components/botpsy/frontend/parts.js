// Small pieces that several views show.

import { html, svg } from "./vendor/lit.min.js";
import { percent, t } from "./strings.js";

const SHAPES = {
  done: svg`<path d="M5 12.5 10 17.5 19.5 7" />`,
  answered: svg`<path d="M4 5h16v11H10l-4 4v-4H4z" />`,
  refused: svg`<path d="M8 3h8l5 5v8l-5 5H8l-5-5V8z" /><path d="M8 12h8" />`,
  asked: svg`<path d="M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .6-1.5 1.2-1.5 2.3" /><path d="M12 18.5v.01" />`,
  failed: svg`<path d="M12 4 21 19.5H3z" /><path d="M12 10v4M12 16.8v.01" />`,
  unconfirmed: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 7.5V12l3 2" />`,
  planned: svg`<path d="M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4" />`,
  left: svg`<path d="M6 12h12" />`,
  dry_run: svg`<path d="M9.5 3.5h5M10.5 3.5v6L5 19.5h14l-5.5-10v-6" />`,
  note: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 11v5M12 8v.01" />`,
  open: svg`<path d="M8 10l4 4 4-4" />`,
};

export const icon = (name, kind = "") =>
  html`<svg class="icon ${kind}" viewBox="0 0 24 24" aria-hidden="true">${SHAPES[name] ?? SHAPES.note}</svg>`;

export const bar = (label, share) =>
  html`<div class="bar">
    <span>${label}</span>
    <i aria-hidden="true"><b style="width:${Math.round(100 * Math.max(0, Math.min(1, share)))}%"></b></i>
    <span>${percent(share)}</span>
  </div>`;

// What a line is marked with: its status, or what says more than that.
export const markOf = (line) => line.status && (line.dry_run ? "dry_run" : line.became ?? line.status);

export const statusWord = (line) => (line.status ? t(`status.${markOf(line)}`) : "");

export const nameOf = (hass, id) => hass.states[id]?.attributes.friendly_name ?? id;

// Gives the keyboard a place to go on from, once what had it is gone from the page.
export const focusOn = async (view, what) => {
  await view.updateComplete;
  view.renderRoot.querySelector(what)?.focus();
};

export const errorText = (error) => t("common.failed", { error: error?.message ?? String(error) });
