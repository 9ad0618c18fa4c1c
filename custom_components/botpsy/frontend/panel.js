// The panel's frame: header, tabs, and the view that is chosen; a view that is not the first is loaded when it is.

import { LitElement, css, html, nothing } from "./vendor/lit.min.js";
import "./now.js";
import { errorText } from "./parts.js";
import { loadStrings, t, useClock } from "./strings.js";
import { base } from "./styles.js";

const TABS = ["now", "waiting", "try", "home", "policy"];
const FOR_ADMINS = new Set(["policy"]);

class Panel extends LitElement {
  static properties = {
    hass: {}, narrow: { type: Boolean, reflect: true }, route: {}, panel: {},
    _info: { state: true }, _entry: { state: true }, _ready: { state: true }, _error: { state: true },
  };

  static styles = [base, css`
    :host { height: 100vh; height: 100dvh; display: flex; flex-direction: column; background: var(--primary-background-color); }
    header { background: var(--app-header-background-color, var(--primary-background-color)); color: var(--app-header-text-color, var(--primary-text-color)); border-bottom: 1px solid var(--line); }
    .bar-top { display: flex; align-items: center; height: 56px; padding: 0 12px; gap: 8px; }
    h1 { font-size: 20px; flex: 1; }
    nav { display: flex; overflow-x: auto; padding: 0 8px; scrollbar-width: none; }
    :host([narrow]) nav { mask-image: linear-gradient(to right, transparent, #000 12px, #000 calc(100% - 36px), transparent); scroll-padding: 40px; padding: 0 36px 0 8px; }
    :host([narrow]) nav a { padding: 10px; }
    nav a {
      color: inherit; text-decoration: none; padding: 10px 14px; white-space: nowrap; font-weight: 500;
      border-bottom: 3px solid transparent;
    }
    nav a[aria-current] { border-color: var(--primary-color); }
    nav a:focus-visible { outline-offset: -4px; border-radius: 10px; }
    main { flex: 1; min-height: 0; overflow: auto; }
    main.full { overflow: hidden; }
    .message { padding: 48px 16px; text-align: center; }
  `];

  constructor() {
    super();
    this._loaded = new Set(["now"]);
  }

  willUpdate(changed) {
    if (changed.has("hass") && this.hass && !this._begun) {
      this._begun = true;
      this._begin();
    }
  }

  async _begin() {
    this._error = undefined;
    // All three at once: the first line waits for one answer, not for three.
    useClock(this.hass);
    const strings = loadStrings(this.panel.config.strings, this.hass.language ?? "en");
    this._first = this.hass.callWS({ type: "botpsy/journal/list", count: 40 });
    this._first.catch(() => {});
    const info = this.hass.callWS({ type: "botpsy/info" });
    info.catch(() => {});
    try {
      await strings;
      this._ready = true;
      this._info = await info;
    } catch (error) {
      this._error = error;
    }
  }

  updated() { this.renderRoot.querySelector("a[aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" }); }

  get _view() {
    const asked = (this.route?.path ?? "").replaceAll("/", "");
    return TABS.includes(asked) ? asked : "now";
  }

  _tabs() { return TABS.filter((each) => !FOR_ADMINS.has(each) || this._info?.admin !== false); }

  _go(event, view) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", `${this.route.prefix}/${view}`);
    this.dispatchEvent(new CustomEvent("location-changed", { bubbles: true, composed: true, detail: { replace: false } }));
    window.dispatchEvent(new CustomEvent("location-changed", { detail: { replace: false } }));
  }

  _content() {
    if (this._error) {
      const waits = this._error.code === "not_loaded";
      return html`<div class="message"><p>${waits ? t("common.not_loaded") : errorText(this._error)}</p><p><button @click=${this._begin}>${t("common.again")}</button></p></div>`;
    }
    const view = this._view;
    if (!this._loaded.has(view)) {
      import(`./${view}.js`).then(() => { this._loaded.add(view); this.requestUpdate(); }, (error) => { this._error = error; });
      return html`<p class="message">${t("common.loading")}</p>`;
    }
    const shared = { hass: this.hass, info: this._info, entry: this._entry, narrow: this.narrow };
    switch (view) {
      case "waiting": return html`<botpsy-waiting .hass=${shared.hass} .info=${shared.info} .entry=${shared.entry}></botpsy-waiting>`;
      case "try": return html`<botpsy-try .hass=${shared.hass} .info=${shared.info} .entry=${shared.entry}></botpsy-try>`;
      case "home": return html`<botpsy-home .hass=${shared.hass} .info=${shared.info} .entry=${shared.entry}></botpsy-home>`;
      case "policy": return html`<botpsy-policy .hass=${shared.hass} .info=${shared.info} .entry=${shared.entry}></botpsy-policy>`;
      default: return html`<botpsy-now .hass=${shared.hass} .info=${shared.info} .entry=${shared.entry} .narrow=${shared.narrow} .first=${this._entry ? undefined : this._first}></botpsy-now>`;
    }
  }

  _models() {
    if ((this._info?.entries.length ?? 0) < 2) return nothing;
    return html`<label>${t("common.model")}
      <select @change=${(event) => { this._entry = event.target.value; }}>
        ${this._info.entries.map((each) => html`<option value=${each.entry_id}>${each.title}</option>`)}
      </select></label>`;
  }

  render() {
    if (!this._ready) return nothing;
    const view = this._view;
    return html`
      <header>
        <div class="bar-top">
          <ha-menu-button .hass=${this.hass} .narrow=${this.narrow}></ha-menu-button>
          <h1>${t("title")}</h1>
          ${this._models()}
        </div>
        <nav aria-label=${t("title")}>
          ${this._tabs().map((each) => html`<a href="${this.route?.prefix ?? "/botpsy"}/${each}" aria-current=${each === view ? "page" : nothing} @click=${(event) => this._go(event, each)}>${t(`tabs.${each}`)}</a>`)}
        </nav>
      </header>
      <main class=${view === "now" ? "full" : ""}>${this._content()}</main>
    `;
  }
}

customElements.define("botpsy-panel", Panel);
