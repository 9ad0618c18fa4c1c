// My home: the self-test with its plot and its hints, the meter of a week, and every exposed thing.

import { LitElement, css, html, nothing, repeat } from "./vendor/lit.min.js";
import { errorText, focusOn } from "./parts.js";
import { fullMoment, named, number, t } from "./strings.js";
import { base } from "./styles.js";

const SHOWN = 200;

class HomeView extends LitElement {
  static properties = { hass: {}, info: {}, entry: {}, _told: { state: true }, _test: { state: true }, _error: { state: true }, _words: { state: true } };

  static styles = [base, css`
    .meter { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 12px 0 0; }
    .meter div { border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
    .meter dt { color: var(--soft); font-size: 12px; }
    .meter dd { margin: 0; font-size: 20px; font-variant-numeric: tabular-nums; }
    .wide { overflow-x: auto; }
    table { width: 100%; border-collapse: collapse; margin-top: 12px; }
    th { text-align: start; font-weight: 500; color: var(--soft); font-size: 12px; }
    th, td { padding: 8px 8px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    td:last-child, th:last-child { text-align: end; font-variant-numeric: tabular-nums; }
    progress { width: 100%; height: 10px; accent-color: var(--primary-color); margin-top: 12px; }
    .plot { display: grid; grid-template-columns: minmax(110px, 170px) 1fr auto; gap: 6px 12px; align-items: center; margin: 12px 0; }
    .plot i { display: flex; height: 14px; border-radius: 4px; overflow: hidden; background: color-mix(in srgb, var(--primary-text-color) 12%, transparent); }
    .plot b { display: block; height: 100%; }
    .right { background: var(--success-color, #43a047); }
    .wrong { background: repeating-linear-gradient(45deg, var(--warning-color, #ffa600) 0 5px, color-mix(in srgb, var(--warning-color, #ffa600) 60%, #000) 5px 7px); }
    .hint { border-top: 1px solid var(--line); padding: 10px 0; }
    .hint h3 { margin-bottom: 4px; }
    .hint p { overflow-wrap: anywhere; }
    .danger { border-inline-start: 4px solid var(--error-color, #db4437); padding-inline-start: 10px; }
    .found { margin: 14px 0; }
    .head { display: flex; gap: 12px; justify-content: space-between; align-items: start; flex-wrap: wrap; }
    @media (max-width: 600px) {
      thead { clip-path: inset(50%); position: absolute; width: 1px; height: 1px; overflow: hidden; }
      tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
      td { display: flex; justify-content: space-between; gap: 12px; border: 0; padding: 2px 0; text-align: end; }
      td::before { content: attr(data-label); color: var(--soft); text-align: start; }
      .plot { grid-template-columns: 1fr auto; }
      .plot > span:first-child, .plot > span:nth-child(3n + 1) { grid-column: 1 / 3; }
    }
  `];

  connectedCallback() {
    super.connectedCallback();
    this._words = "";
    this._load();
    if (this.info?.admin) this._follow();
  }

  updated() { if (this.info?.admin && !this._listening) this._follow(); }

  disconnectedCallback() {
    super.disconnectedCallback();
    this._listening?.then((stop) => stop(), () => {});
    this._listening = undefined;
  }

  _message(what, fields = {}) { return { type: `botpsy/${what}`, ...(this.entry ? { entry_id: this.entry } : {}), ...fields }; }

  _follow() {
    this._listening = this.hass.connection.subscribeMessage((told) => this._tested(told), this._message("self_test/subscribe"));
    this._listening.catch((error) => { this._error = error; });
  }

  // One button takes the other's place; where the keyboard was on it, it goes on from the new one.
  _tested(told) {
    const held = this.renderRoot?.activeElement?.matches("[data-test]");
    this._test = told;
    if (held) focusOn(this, "[data-test]");
  }

  async _load() {
    try {
      this._told = await this.hass.callWS(this._message("home"));
    } catch (error) {
      this._error = error;
    }
  }

  _tell(what) { this.hass.callWS(this._message(what)).catch((error) => { this._error = error; }); }

  _meter(meter) {
    const cell = (label, value) => html`<div><dt>${t(`home.${label}`)}</dt><dd>${value}</dd></div>`;
    const seconds = (value) => t("common.seconds", { count: number(value, value < 1 ? 2 : 1) });
    return html`<section class="card">
      <h2>${t("home.meter")}</h2>
      ${meter.requests ? html`<dl class="meter">
        ${cell("requests", number(meter.requests))}
        ${cell("median", seconds(meter.median_s))}
        ${cell("slowest", seconds(meter.p95_s))}
        ${cell("without_model", number(meter.without_model))}
        ${cell("tokens_read", t("common.tokens", { count: meter.read }))}
      </dl>` : html`<p class="soft">${t("home.no_requests")}</p>`}
    </section>`;
  }

  _plot(groups) {
    return html`<h3>${t("home.test_plot")}</h3>
      <div class="plot">${Object.entries(groups).map(([group, counts]) => html`
        <span>${named("groups", group)}</span>
        <i aria-hidden="true"><b class="right" style="width:${(100 * counts.right) / counts.said}%"></b><b class="wrong" style="width:${(100 * counts.wrong) / counts.said}%"></b></i>
        <span>${t("home.test_right", { right: counts.right, total: counts.said })}</span>`)}
      </div>`;
  }

  _hints(wrong) {
    if (!wrong.length) return html`<p>${t("home.test_all_right")}</p>`;
    const things = Map.groupBy(wrong, (row) => row.about ?? "");
    const worst = (rows) => rows.filter((row) => row.dangerous).length;
    const sorted = [...things].sort(([, a], [, b]) => worst(b) - worst(a));
    return html`<h3>${t("home.test_hints")}</h3>${sorted.slice(0, SHOWN).map(([id, rows]) => html`<div class="hint ${worst(rows) ? "danger" : ""}">
      <h3>${id ? this.hass.states[id]?.attributes.friendly_name ?? id : t("home.test_none_of_home")} ${id ? html`<span class="soft">${id}</span>` : nothing}</h3>
      ${rows.map((row) => html`<p>${t("home.test_line", { text: row.text, came: named("came", row.came) })} ${row.dangerous ? html`<strong>(${t("home.dangerous")})</strong> ` : nothing}${t(`advice.${row.advice_code}`, { name: row.advice_name })}</p>`)}
    </div>`)}`;
  }

  _selfTest() {
    if (!this.info?.admin) return nothing;
    const test = this._test ?? {};
    const result = test.result;
    return html`<section class="card">
      <div class="head">
        <div><h2>${t("home.test")}</h2><p class="lead">${t("home.test_lead")}</p></div>
        ${test.running ? html`<button data-test="stop" @click=${() => this._tell("self_test/stop")}>${t("home.test_stop")}</button>`
          : html`<button data-test="start" class="main" @click=${() => this._tell("self_test/start")}>${t("home.test_start")}</button>`}
      </div>
      <div role="status">${test.problem ? t("common.failed", { error: test.problem }) : nothing}</div>
      ${test.running ? html`<progress max=${test.total || 1} value=${test.done} aria-label=${t("home.test")}></progress>
        <p class="soft">${t("home.test_running", { done: test.done, total: test.total })}</p>` : nothing}
      ${result && !test.running ? html`
        <p class="found"><strong>${t("home.test_right", { right: result.right, total: result.total })}</strong>.
          ${result.dangerous ? t("home.test_dangerous", { count: result.dangerous }) + "." : t("home.test_no_dangerous")}
          <span class="soft">${t("home.test_at", { when: fullMoment(result.at) })}</span></p>
        ${this._plot(result.groups)}
        ${this._hints(result.wrong)}` : nothing}
    </section>`;
  }

  _things(entities) {
    const words = this._words.toLowerCase();
    const shown = entities.filter((each) => `${each.name} ${each.id} ${each.area} ${each.aliases.join(" ")}`.toLowerCase().includes(words));
    const all = entities.reduce((sum, each) => sum + each.tokens, 0);
    const cell = (label, value) => html`<td data-label=${t(`home.${label}`)}>${value}</td>`;
    return html`<section class="card">
      <div class="head">
        <div><h2>${t("home.heading")}</h2><p class="lead">${t("home.lead")}</p>
          <p class="lead">${t("home.things", { count: entities.length })}. ${t("home.names_tokens", { tokens: t("common.tokens", { count: all }) })}</p></div>
        <label>${t("home.search")}<input type="search" @input=${(event) => { this._words = event.target.value; }} /></label>
      </div>
      <table>
        <thead><tr>${["name", "room", "class", "first", "names"].map((each) => html`<th scope="col">${t(`home.${each}`)}</th>`)}</tr></thead>
        <tbody>${repeat(shown.slice(0, SHOWN), (each) => each.id, (each) => html`<tr>
          ${cell("name", html`<span title=${each.id}>${[each.name, ...each.aliases].join(", ")}</span>`)}${cell("room", each.area || "–")}
          ${cell("class", named("risk", each.risk))}${cell("first", each.acts ? t(`level.${each.first ?? "none"}`) : "–")}${cell("names", each.tokens)}
        </tr>`)}</tbody>
      </table>
      ${shown.length > SHOWN ? html`<p class="soft">${t("common.more", { count: shown.length - SHOWN })}</p>` : nothing}
    </section>`;
  }

  render() {
    return html`<div class="page">
      ${this._error ? html`<p role="alert">${errorText(this._error)}</p>` : nothing}
      ${this._selfTest()}
      ${this._told ? html`${this._meter(this._told.meter)}${this._things(this._told.entities)}` : html`<p>${t("common.loading")}</p>`}
    </div>`;
  }
}

customElements.define("botpsy-home", HomeView);
