// Waiting: open questions to answer, planned acts to forget, and what was just done to put back.

import { LitElement, css, html, nothing, repeat } from "./vendor/lit.min.js";
import { errorText, focusOn, icon } from "./parts.js";
import { listed, moment, named, t } from "./strings.js";
import { base } from "./styles.js";

class WaitingView extends LitElement {
  static properties = { hass: {}, info: {}, entry: {}, _told: { state: true }, _said: { state: true }, _busy: { state: true } };

  static styles = [base, css`
    .item { display: flex; gap: 12px; align-items: start; padding: 14px 0; border-top: 1px solid var(--line); }
    .item:first-of-type { border-top: 0; }
    .item > div { flex: 1; min-width: 0; }
    .ask { font-size: 16px; overflow-wrap: anywhere; }
    form { margin-top: 10px; }
    form input { width: 130px; }
    section h2 { margin-bottom: 4px; }
    .said { border-inline-start: 4px solid var(--primary-color); padding: 8px 12px; margin-bottom: 16px; }
  `];

  connectedCallback() {
    super.connectedCallback();
    this._since = Date.now();
    this._listening = this.hass.connection.subscribeMessage((told) => { this._told = told; this._since = Date.now(); }, this._message("waiting/subscribe"));
    this._listening.catch((error) => { this._said = errorText(error); });
    this._tick = setInterval(() => this._told?.questions.length && this.requestUpdate(), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this._tick);
    this._listening.then((stop) => stop(), () => {});
  }

  _message(what, fields = {}) { return { type: `botpsy/${what}`, ...(this.entry ? { entry_id: this.entry } : {}), ...fields }; }

  async _do(what, fields) {
    this._busy = true;
    try {
      const answer = await this.hass.callWS(this._message(what, fields));
      this._said = answer.reply ?? "";
    } catch (error) {
      this._said = errorText(error);
    }
    this._busy = false;
    focusOn(this, "[role=status]");
  }

  _left(question) { return Math.max(0, Math.round(question.left_s - (Date.now() - this._since) / 1000)); }

  _answer(event, question) {
    event.preventDefault();
    const field = event.target.querySelector("input");
    this._do("confirm", { pending: question.id, ...(field ? { pin: field.value } : {}) });
    if (field) field.value = "";
  }

  _question(question) {
    const left = this._left(question);
    if (!left) return nothing;
    const who = this.info?.people?.[question.user];
    return html`<div class="item">
      ${icon("asked", "asked")}
      <div>
        <p class="ask">${question.question}</p>
        <p class="soft">${named("risk", question.risk)}. ${named("reasons", question.reason)}</p>
        <p class="soft">${who ? html`${t("now.by", { who })}, ` : nothing}${t("waiting.left", { count: left })}</p>
        ${question.in_words
          ? html`${question.options.length ? html`<p>${t("waiting.could_be", { options: listed(question.options, "disjunction") })}.</p>` : nothing}<p>${t("waiting.words_needed")}</p>
              <form @submit=${(event) => event.preventDefault()}><button type="button" ?disabled=${this._busy} @click=${() => this._do("deny", { pending: question.id })}>${t("waiting.deny")}</button></form>`
          : html`<form class="row" @submit=${(event) => this._answer(event, question)}>
              ${question.kind === "pin" ? html`<label>${t("waiting.pin")}<input type="password" inputmode="numeric" autocomplete="off" required aria-describedby="pin-${question.id}" /></label>` : nothing}
              <button class="main" ?disabled=${this._busy}>${t("waiting.approve")}</button>
              <button type="button" ?disabled=${this._busy} @click=${() => this._do("deny", { pending: question.id })}>${t("waiting.deny")}</button>
            </form>
            ${question.kind === "pin" ? html`<p class="soft" id="pin-${question.id}">${t("waiting.pin_hint")}</p>` : nothing}`}
      </div>
    </div>`;
  }

  render() {
    const told = this._told;
    if (!told) return html`<div class="page"><p>${this._said || t("common.loading")}</p></div>`;
    const questions = told.questions.filter((each) => this._left(each));
    return html`<div class="page">
      <p role="status" aria-live="polite" tabindex="-1" class=${this._said ? "said" : "quiet"}>${this._said ?? ""}</p>
      <section class="card">
        <h2>${t("waiting.questions")}</h2>
        ${questions.length ? repeat(questions, (each) => each.id, (each) => this._question(each)) : html`<p class="soft">${t("waiting.no_questions")}</p>`}
      </section>
      <section class="card">
        <h2>${t("waiting.planned")}</h2>
        ${told.planned.length ? repeat(told.planned, (each) => each.id, (act) => html`<div class="item">
          ${icon("unconfirmed", "soft")}
          <div><p class="ask">${t("waiting.at", { act: act.act, when: act.when ? `“${act.when}”` : moment(act.at) })}</p></div>
          <button ?disabled=${this._busy} aria-label=${`${t("waiting.cancel")}: ${act.act}`} @click=${() => this._do("forget", { ids: [act.id] })}>${t("waiting.cancel")}</button>
        </div>`) : html`<p class="soft">${t("waiting.no_planned")}</p>`}
      </section>
      <section class="card">
        <h2>${t("waiting.undo_heading")}</h2>
        ${told.undo.length ? repeat(told.undo, (each) => each.talk, (each) => html`<div class="item">
          ${icon("done", "done")}
          <div><p class="ask">${each.acts.join(" ")}</p></div>
          <button ?disabled=${this._busy} aria-label=${`${t("waiting.undo")}: ${each.acts.join(" ")}`} @click=${() => this._do("undo", { talk: each.talk })}>${t("waiting.undo")}</button>
        </div>`) : html`<p class="soft">${t("waiting.no_undo")}</p>`}
      </section>
    </div>`;
  }
}

customElements.define("botpsy-waiting", WaitingView);
