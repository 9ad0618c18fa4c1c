// Policy: how careful, and the owner's rule for each thing, tried on the last week before it is kept.

import { LitElement, css, html, nothing, repeat } from "./vendor/lit.min.js";
import { errorText, focusOn } from "./parts.js";
import { named, t } from "./strings.js";
import { base } from "./styles.js";

const SHOWN = 200;
const CLASSES = ["read", "comfort", "cost", "security", "hazard"];
const LEVELS = ["none", "confirm", "pin"];

class PolicyView extends LitElement {
  static properties = {
    hass: {}, info: {}, entry: {}, _told: { state: true }, _error: { state: true }, _words: { state: true },
    _edited: { state: true }, _rule: { state: true }, _preview: { state: true }, _preset: { state: true }, _said: { state: true },
  };

  static styles = [base, css`
    .head { display: flex; gap: 12px; justify-content: space-between; align-items: start; flex-wrap: wrap; }
    .thing { border-top: 1px solid var(--line); }
    .thing > button {
      all: unset; box-sizing: border-box; width: 100%; cursor: pointer; padding: 10px 4px; display: grid;
      grid-template-columns: minmax(140px, 2fr) minmax(120px, 2fr) minmax(90px, 1fr); gap: 4px 12px; align-items: center;
    }
    .thing > button:hover { background: color-mix(in srgb, var(--primary-text-color) 5%, transparent); }
    .thing > button:focus-visible { outline: var(--ring); border-radius: 8px; }
    .titles { display: grid; grid-template-columns: minmax(140px, 2fr) minmax(120px, 2fr) minmax(90px, 1fr); gap: 4px 12px; padding: 12px 4px 6px; font-size: 12px; color: var(--soft); }
    .people { margin: 6px 0; }
    .own { font-weight: 500; }
    fieldset { border: 0; margin: 0; padding: 4px 4px 16px; }
    legend { padding: 0; font-weight: 500; }
    .fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 12px; margin: 12px 0; }
    .fields select { width: 100%; }
    .check { flex-direction: row; align-items: center; gap: 8px; font-size: 14px; color: var(--primary-text-color); }
    .people { display: flex; flex-wrap: wrap; gap: 4px 16px; }
    .preview { border-inline-start: 4px solid var(--primary-color); padding: 4px 12px; margin: 12px 0; }
    .preview ul { margin: 4px 0; padding-inline-start: 20px; }
    .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 16px; margin-top: 12px; }
    a { color: inherit; }
    fieldset > div { margin-top: 12px; }
    @media (max-width: 600px) { .thing > button { grid-template-columns: 1fr; } .titles { display: none; } }
  `];

  connectedCallback() {
    super.connectedCallback();
    this._words = "";
    this._ask("policy/get").then((told) => { this._told = told; });
  }

  async _ask(what, fields = {}) {
    this._error = undefined;
    try {
      return await this.hass.callWS({ type: `botpsy/${what}`, ...(this.entry ? { entry_id: this.entry } : {}), ...fields });
    } catch (error) {
      this._error = error;
      return undefined;
    }
  }

  _edit(thing) {
    this._preview = undefined;
    this._edited = this._edited === thing.id ? undefined : thing.id;
    this._rule = { ...(this._told.rules[thing.id] ?? {}) };
  }

  _close(id) {
    this._edited = undefined;
    this._preview = undefined;
    focusOn(this, `[data-thing="${CSS.escape(id)}"]`);
  }

  _put(key, value) {
    const rule = { ...this._rule };
    if (value === undefined) delete rule[key];
    else rule[key] = value;
    this._rule = rule;
    this._preview = undefined;
  }

  async _check() { this._preview = await this._ask("policy/preview", { entity_id: this._edited, rule: this._rule }); }

  async _keep(rule) {
    const id = this._edited;
    const told = await this._ask("policy/set", { entity_id: id, rule });
    if (!told) return;
    this._told = told;
    this._said = t("policy.kept");
    this._close(id);
  }

  async _choose(preset) {
    this._preset = preset;
    this._preview = await this._ask("policy/preview", { preset });
  }

  async _keepPreset() {
    const told = await this._ask("policy/preset", { preset: this._preset });
    if (!told) return;
    this._told = told;
    this._preset = undefined;
    this._preview = undefined;
    this._said = t("policy.kept");
    focusOn(this, "[data-preset]");
  }

  _seen() {
    const seen = this._preview;
    if (!seen) return nothing;
    const way = (each) => t(`policy.outcome_${each}`);
    return html`<div class="preview" role="status">
      <p><strong>${t("policy.preview")}</strong></p>
      ${!seen.requests ? html`<p>${t("policy.preview_nothing_known")}</p>` : nothing}
      ${seen.requests && !seen.changed ? html`<p>${t("policy.preview_none")}</p>` : nothing}
      ${seen.changed ? html`<p>${t("policy.preview_count", { count: seen.changed })} ${seen.looser ? html`<strong>${t("policy.looser")}</strong>` : nothing}</p>
        <ul>${seen.lines.map((each) => html`<li>${t("policy.preview_line", { text: each.text, before: way(each.before), after: way(each.after) })}</li>`)}</ul>` : nothing}
    </div>`;
  }

  _choice(label, key, options, show, usual) {
    const value = this._rule[key];
    const at = value === undefined ? "" : String(value);
    return html`<label>${label}<select @change=${(event) => this._put(key, options.find((each) => String(each) === event.target.value))}>
      <option value="" ?selected=${at === ""}>${usual ? t("policy.usual", { value: usual }) : t("policy.rule_usual")}</option>
      ${options.map((each) => html`<option value=${String(each)} ?selected=${at === String(each)}>${show(each)}</option>`)}
    </select></label>`;
  }

  _hours() {
    const [from, to] = this._rule.hours ?? ["", ""];
    const put = (next) => this._put("hours", next[0] && next[1] ? next : undefined);
    this._half ??= [];
    const field = (index, label, value) => html`<label>${label}<input type="time" .value=${value} @change=${(event) => {
      this._half = [...(this._rule.hours ?? this._half)];
      this._half[index] = event.target.value;
      put(this._half);
    }} /></label>`;
    return html`<div class="row">${field(0, `${t("policy.hours")}: ${t("policy.hours_from")}`, from)}${field(1, t("policy.hours_to"), to)}${from ? nothing : html`<p class="soft">${t("policy.hours_always")}</p>`}</div>`;
  }

  _people() {
    const chosen = new Set(this._rule.users ?? []);
    return html`<div><p class="soft">${t("policy.people")} (${chosen.size ? chosen.size : t("policy.people_everybody")})</p>
      <div class="people">${Object.entries(this.info?.people ?? {}).map(([id, name]) => html`<label class="check"><input type="checkbox" .checked=${chosen.has(id)} @change=${(event) => {
        if (event.target.checked) chosen.add(id); else chosen.delete(id);
        this._put("users", chosen.size ? [...chosen] : undefined);
      }} />${name}</label>`)}
      <label class="check"><input type="checkbox" .checked=${this._rule.admins_only ?? false} @change=${(event) => this._put("admins_only", event.target.checked || undefined)} />${t("policy.admins_only")}</label></div></div>`;
  }

  _editor(thing) {
    return html`<fieldset>
      <legend class="quiet">${t("policy.edit", { name: thing.name })}</legend>
      ${this._told.in_file.includes(thing.id) ? html`<p>${t("policy.from_file")}</p>` : nothing}
      <div class="fields">
        ${this._choice(t("policy.enabled"), "enabled", [true, false], (each) => (each ? t("common.yes") : t("policy.disabled")))}
        ${this._choice(t("policy.class"), "risk", CLASSES, (each) => named("risk", each), "risk" in (this._told.rules[thing.id] ?? {}) ? "" : named("risk", thing.risk))}
        ${this._levels()}
      </div>
      ${this._hours()}
      ${this._people()}
      ${this._seen()}
      <div class="row">
        <button @click=${this._check}>${t("policy.check")}</button>
        <button class="main" @click=${() => this._keep(Object.keys(this._rule).length ? this._rule : null)}>${t("policy.keep")}</button>
        <button @click=${() => this._close(thing.id)}>${t("policy.cancel")}</button>
        ${this._told.rules[thing.id] ? html`<button @click=${() => this._keep(null)}>${t("policy.reset")}</button>` : nothing}
      </div>
    </fieldset>`;
  }

  _levels() {
    const has = "confirm" in this._rule;
    const at = has ? this._rule.confirm ?? "none" : "";
    return html`<label>${t("policy.first")}<select @change=${(event) => this._put("confirm", event.target.value === "none" ? null : event.target.value || undefined)}>
      <option value="" ?selected=${at === ""}>${t("policy.rule_usual")}</option>
      ${LEVELS.map((each) => html`<option value=${each} ?selected=${at === each}>${t(`level.${each}`)}</option>`)}
    </select></label>`;
  }

  _thing(thing) {
    const open = this._edited === thing.id;
    const own = thing.id in this._told.rules;
    return html`<div class="thing" @keydown=${(event) => { if (event.key === "Escape" && open) this._close(thing.id); }}>
      <button data-thing=${thing.id} aria-expanded=${open} @click=${() => this._edit(thing)}>
        <span class=${own ? "own" : ""}>${thing.name}${thing.area ? html` <span class="soft">${thing.area}</span>` : nothing}</span>
        <span>${named("risk", thing.risk)}</span>
        <span class="soft">${thing.acts ? t(`level.${thing.first ?? "none"}`) : "–"}</span>
      </button>
      ${open ? this._editor(thing) : nothing}
    </div>`;
  }

  render() {
    const told = this._told;
    if (!told) return html`<div class="page"><p>${this._error ? errorText(this._error) : t("common.loading")}</p></div>`;
    const words = this._words.toLowerCase();
    const things = told.entities.filter((each) => each.acts && `${each.name} ${each.id} ${each.area}`.toLowerCase().includes(words));
    const chosen = this._preset ?? told.preset;
    return html`<div class="page">
      ${this._error ? html`<p role="alert">${errorText(this._error)}</p>` : nothing}
      <p role="status" aria-live="polite" class="quiet">${this._said ?? ""}</p>
      <section class="card">
        <h2>${t("policy.heading")}</h2>
        <p class="lead">${t("policy.lead")}</p>
        <div class="facts">
          <div>
            <label>${t("policy.preset")}<select data-preset @change=${(event) => this._choose(event.target.value)}>
              ${told.presets.map((each) => html`<option value=${each} ?selected=${each === chosen}>${t(`policy.preset_${each}`)}</option>`)}
            </select></label>
            ${this._preset && this._preset !== told.preset ? html`${this._seen()}<button class="main" @click=${this._keepPreset}>${t("policy.keep")}</button>` : nothing}
          </div>
          <div><p class="soft">${t("policy.pin")}</p><p>${told.pin_set ? t("policy.pin_set") : t("policy.pin_not_set")}</p>
            <p><a href="/config/integrations/integration/botpsy">${t("policy.pin_change")}</a></p></div>
        </div>
      </section>
      <section class="card">
        <div class="head"><h2>${t("policy.things")}</h2><label>${t("policy.thing_search")}<input type="search" @input=${(event) => { this._words = event.target.value; }} /></label></div>
        <div class="titles" aria-hidden="true"><span>${t("home.name")}</span><span>${t("policy.class")}</span><span>${t("policy.first")}</span></div>
        ${repeat(things.slice(0, SHOWN), (each) => each.id, (each) => this._thing(each))}
        ${things.length > SHOWN ? html`<p class="soft">${t("common.more", { count: things.length - SHOWN })}</p>` : nothing}
      </section>
    </div>`;
  }
}

customElements.define("botpsy-policy", PolicyView);
