// What would you do? A request is decided as always, and nothing is done.

import { LitElement, css, html, nothing } from "./vendor/lit.min.js";
import { errorText, icon } from "./parts.js";
import { t } from "./strings.js";
import { base } from "./styles.js";
import { walk } from "./walk.js";
import { walkStyle } from "./walk_style.js";

class TryView extends LitElement {
  static properties = { hass: {}, info: {}, entry: {}, _told: { state: true }, _busy: { state: true }, _error: { state: true } };

  static styles = [base, walkStyle, css`
    form { display: flex; gap: 12px; align-items: end; margin-top: 14px; flex-wrap: wrap; }
    form label { flex: 1 1 260px; }
    form input { width: 100%; font-size: 16px; }
    .would { display: flex; gap: 12px; align-items: center; font-size: 18px; margin-bottom: 14px; }
  `];

  async _ask(event) {
    event.preventDefault();
    const text = event.target.querySelector("input").value.trim();
    if (!text || this._busy) return;
    this._busy = true;
    this._error = undefined;
    try {
      this._told = await this.hass.callWS({ type: "botpsy/dry_run", text, language: this.hass.language, ...(this.entry ? { entry_id: this.entry } : {}) });
    } catch (error) {
      this._told = undefined;
      this._error = error;
    }
    this._busy = false;
  }

  render() {
    const told = this._told;
    return html`<div class="page">
      <section class="card">
        <h2>${t("try.heading")}</h2>
        <p class="lead">${t("try.lead")}</p>
        <form @submit=${this._ask}>
          <label>${t("try.words")}<input maxlength="1000" autocomplete="off" placeholder=${t("try.example")} /></label>
          <button class="main" ?disabled=${this._busy}>${this._busy ? t("try.thinking") : t("try.ask")}</button>
        </form>
      </section>
      <div aria-live="polite">
        ${this._error ? html`<p>${errorText(this._error)}</p>` : nothing}
        ${told ? html`<section class="card">
          <p class="would">${icon(told.status, told.status)} <span>${told.reply}</span></p>
          ${walk({ ...told, reply: "" }, this.hass)}
          <p class="soft">${t("try.nothing_done")}</p>
        </section>` : nothing}
      </div>
    </div>`;
  }
}

customElements.define("botpsy-try", TryView);
