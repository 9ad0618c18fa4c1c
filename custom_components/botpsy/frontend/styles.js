// What every view looks like: Home Assistant's own variables, so that light, dark and a theme of the owner's hold here too.

import { css } from "./vendor/lit.min.js";

export const base = css`
  :host {
    display: block;
    color: var(--primary-text-color);
    font-family: var(--ha-font-family-body, Roboto, Noto, sans-serif);
    font-size: var(--ha-font-size-m, 14px);
    line-height: 1.45;
    --line: var(--divider-color, #e0e0e0);
    --soft: var(--secondary-text-color);
    --deep: color-mix(in srgb, var(--primary-color) 68%, #000);
    --ring: 2px solid var(--primary-color);
  }
  h1, h2, h3 { font-weight: 500; margin: 0; line-height: 1.25; }
  h2 { font-size: 20px; }
  h3 { font-size: 16px; }
  p { margin: 0; }
  .soft { color: var(--soft); }
  .lead { color: var(--soft); max-width: 68ch; }
  .card {
    background: var(--ha-card-background, var(--card-background-color));
    border: 1px solid var(--ha-card-border-color, var(--line));
    border-radius: var(--ha-card-border-radius, 12px);
    padding: 16px;
    margin-bottom: 16px;
  }
  .page { max-width: 1040px; margin: 0 auto; padding: 16px; box-sizing: border-box; }
  button, input, select {
    font: inherit;
    color: inherit;
    min-height: 40px;
    border-radius: 8px;
    box-sizing: border-box;
  }
  button {
    cursor: pointer;
    background: transparent;
    border: 1px solid var(--soft);
    padding: 6px 16px;
    font-weight: 500;
  }
  button:hover { background: color-mix(in srgb, var(--primary-text-color) 8%, transparent); }
  button.main { background: var(--deep); border-color: var(--deep); color: #fff; }
  button.main:hover { background: color-mix(in srgb, var(--deep) 88%, #000); }
  button[disabled] { opacity: 0.5; cursor: default; }
  input, select {
    background: var(--ha-card-background, var(--card-background-color));
    border: 1px solid var(--soft);
    padding: 6px 10px;
  }
  input[type="checkbox"] { min-height: 20px; width: 20px; height: 20px; accent-color: var(--primary-color); }
  :focus-visible, input[type="time"]:focus-within { outline: var(--ring); outline-offset: 2px; }
  label { display: inline-flex; flex-direction: column; gap: 4px; font-size: 12px; color: var(--soft); }
  label > input, label > select { font-size: 14px; color: var(--primary-text-color); }
  .row { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; }
  .icon { width: 24px; height: 24px; flex: none; fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
  .icon.done { color: var(--success-color, #43a047); }
  .icon.refused { color: var(--error-color, #db4437); }
  .icon.asked { color: var(--info-color, #039be5); }
  .icon.failed, .icon.unconfirmed { color: var(--warning-color, #ffa600); }
  .quiet {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }
  .bar { display: grid; grid-template-columns: minmax(110px, 190px) minmax(48px, 150px) 5ch; gap: 10px; align-items: center; padding: 2px 0; }
  .bar > i { height: 8px; border-radius: 4px; background: color-mix(in srgb, var(--primary-text-color) 14%, transparent); overflow: hidden; display: block; }
  .bar > i > b { display: block; height: 100%; border-radius: 4px; background: var(--primary-color); }
  .bar > span:last-child { text-align: end; font-variant-numeric: tabular-nums; }
`;
