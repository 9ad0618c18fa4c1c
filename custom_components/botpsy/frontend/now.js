// Now and before: one line for each request, newest first; a line opens to the walk through the rooms.

import { LitElement, css, html, nothing, repeat } from "./vendor/lit.min.js";
import { errorText, focusOn, icon, markOf, statusWord } from "./parts.js";
import { moment, number, t } from "./strings.js";
import { base } from "./styles.js";
import { walk } from "./walk.js";
import { walkStyle } from "./walk_style.js";

const FIRST = 40;
const THEN = 250;
const AROUND = 8;
const STEP = 4;
const STATUSES = ["done", "refused", "asked", "failed", "unconfirmed"];
const KINDS = { answer: "now.answer_given", undo: "now.undo_asked", call: "now.call_made", planned: "now.planned_told" };

export class NowView extends LitElement {
  static properties = { hass: {}, info: {}, entry: {}, narrow: { type: Boolean }, first: {}, _open: { state: true } };

  static styles = [base, walkStyle, css`
    :host { height: 100%; display: flex; flex-direction: column; }
    .tools { display: flex; gap: 12px; flex-wrap: wrap; align-items: end; padding: 12px 16px; border-bottom: 1px solid var(--line); }
    .tools h2 { flex: 1 1 260px; align-self: center; }
    .tools input { width: min(260px, 60vw); }
    .scroller { flex: 1; overflow: auto; position: relative; contain: strict; overflow-anchor: none; }
    ul { position: relative; margin: 0 auto; padding: 0; max-width: 1040px; list-style: none; }
    li { position: absolute; inset-inline: 0; contain: layout style; border-bottom: 1px solid var(--line); background: var(--primary-background-color); }
    li > button {
      all: unset; box-sizing: border-box; cursor: pointer; width: 100%; display: grid; padding: 0 16px; gap: 2px 14px;
      grid-template-columns: 24px 1fr auto; align-items: center; align-content: center;
    }
    li > button:hover { background: color-mix(in srgb, var(--primary-text-color) 5%, transparent); }
    li > button:focus-visible { outline: var(--ring); outline-offset: -3px; border-radius: 8px; }
    .icon { grid-row: 1 / 3; }
    .asked-for { font-weight: 500; }
    .asked-for, .became { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; min-width: 0; }
    .became b:not(:empty)::after { content: ". "; }
    .when, .who { text-align: end; color: var(--soft); font-size: 12px; white-space: nowrap; font-variant-numeric: tabular-nums; }
    .detail { padding: 8px 16px 20px 54px; }
    .end { text-align: center; padding: 16px; color: var(--soft); }
    .hint { padding: 8px 16px; font-size: 12px; color: var(--soft); }
    @media (max-width: 600px) {
      .detail { padding-inline: 16px; }
      .tools { padding: 8px 12px; gap: 8px; }
      .tools h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .tools label { flex: 1; min-width: 0; }
      .tools input, .tools select { width: 100%; }
      li > button { grid-template-columns: 24px 1fr auto; }
      .icon { grid-row: 1 / 4; }
      .asked-for, .became { grid-column: 2 / 4; }
      .became { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
      .when { grid-area: 3 / 2; text-align: start; }
      .who { grid-area: 3 / 3; max-width: 160px; overflow: hidden; text-overflow: ellipsis; }
    }
  `];

  constructor() {
    super();
    this._lines = [];
    this._older = undefined;
    this._top = 0;
    this._view = 900;
    this._active = 0;
    this._detail = 0;
    this._entry = undefined;
    this._filter = {};
    this._news = "";
    this._measure = new ResizeObserver((seen) => this._grown(seen[0].contentRect.height));
    this._fit = new ResizeObserver((seen) => { this._view = seen[0].contentRect.height; this.requestUpdate(); });
  }

  get _height() { return this.narrow ? 104 : 60; }

  connectedCallback() {
    super.connectedCallback();
    this._start(this.first);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this._measure.disconnect();
    this._fit.disconnect();
    this._silence();
  }

  willUpdate(changed) {
    // Names of people come a moment after the first lines.
    if (changed.has("info")) for (const line of this._lines) line.words = undefined;
    if (!this.hasUpdated || !changed.has("entry")) return;
    this._silence();
    this._loaded = false;
    this._start();
  }

  _start(first) {
    this._begin(first);
    this._listening = this._ask("subscribe", {}, (line) => this._arrived(line));
  }

  _silence() { this._listening?.then((stop) => stop(), () => {}); }

  firstUpdated() { this._fit.observe(this.renderRoot.querySelector(".scroller")); }

  _ask(what, fields, listener) {
    const message = { type: `botpsy/journal/${what}`, ...(this.entry ? { entry_id: this.entry } : {}), ...fields };
    return listener ? this.hass.connection.subscribeMessage(listener, message) : this.hass.callWS(message);
  }

  async _begin(first) {
    const asked = (this._asking = {});
    this._error = undefined;
    try {
      const page = await (first ?? this._ask("list", { count: FIRST, ...this._filter }));
      if (asked !== this._asking) return;
      this._lines = page.lines;
      this._older = page.older;
      this._loading = false;
      this._loaded = true;
      this._open = undefined;
      this._active = 0;
      this._explain(page.lines[0]);
    } catch (error) {
      this._error = error;
    }
    this.requestUpdate();
  }

  // Who comes to ask why nothing happened finds the answer open; once, so that a closed line stays closed.
  _explain(newest) {
    if (this._explained || !newest || markOf(newest) !== "refused") return;
    this._explained = true;
    this._toggle(newest, 0);
  }

  async _more() {
    if (this._loading || !this._older) return;
    const asked = this._asking;
    this._loading = true;
    try {
      const page = await this._ask("list", { before: this._older, count: THEN, ...this._filter });
      if (asked !== this._asking) return;
      this._lines = this._lines.concat(page.lines);
      this._older = page.older;
    } catch (error) {
      this._error = error;
    }
    this._loading = false;
    this.requestUpdate();
  }

  _arrived(line) {
    if (!this._loaded || this._filter.words || (this._filter.status && this._filter.status !== line.status)) return;
    if (this._lines.some((each) => each.mark === line.mark)) return;
    this._lines = [line, ...this._lines];
    this._active += 1;
    this._news = t("now.new_line", { line: `${this._asked(line)}. ${this._became(line)}` });
    const scroller = this.renderRoot.querySelector(".scroller");
    this.requestUpdate();
    if (scroller && scroller.scrollTop > this._height / 2) {
      this.updateComplete.then(() => { scroller.scrollTop += this._height; });
    }
  }

  async _toggle(line, index) {
    this._active = index;
    this._detail = 0;
    this._entry = undefined;
    this._open = this._open === line.mark ? undefined : line.mark;
    if (!this._open) return;
    try {
      const entry = await this._ask("entry", { mark: line.mark });
      if (this._open === line.mark) this._entry = entry ?? line;
    } catch (error) {
      this._entry = { ...line, reply: errorText(error) };
    }
    this.requestUpdate();
  }

  _grown(height) {
    if (Math.abs(height - this._detail) < 1) return;
    this._detail = height;
    this.requestUpdate();
  }

  updated() {
    const detail = this.renderRoot.querySelector(".detail");
    if (detail !== this._watched) {
      this._measure.disconnect();
      this._watched = detail;
      if (detail) this._measure.observe(detail, { box: "border-box" });
    }
    if (detail) this._grown(detail.offsetHeight);
  }

  _scrolled(event) {
    this._top = event.target.scrollTop;
    if (this._frame) return;
    this._frame = requestAnimationFrame(() => {
      this._frame = 0;
      const [begin, end] = this._window();
      if (begin !== this._begins || end !== this._ends) this.requestUpdate();
    });
  }

  // Which lines are in the page: some around those on the screen, in steps, so that most frames change nothing.
  _window() {
    const opened = this._open ? this._detail : 0;
    const begin = Math.floor(Math.max(0, (this._top - opened) / this._height - AROUND) / STEP) * STEP;
    const end = Math.ceil(((this._top + this._view) / this._height + AROUND) / STEP) * STEP;
    return [begin, Math.min(this._lines.length, end)];
  }

  _keyed(event) {
    const page = Math.max(1, Math.floor(this._view / this._height) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (event.key === "Escape" && this._open) {
      const index = this._lines.findIndex((each) => each.mark === this._open);
      this._open = undefined;
      if (event.target.closest(".detail")) this._active = Math.max(0, index);
      return void focusOn(this, `li[aria-posinset="${this._active + 1}"] > button`);
    }
    if (step === undefined || !event.target.closest("li > button")) return;
    event.preventDefault();
    this._active = Math.max(0, Math.min(this._lines.length - 1, this._active + step));
    const scroller = this.renderRoot.querySelector(".scroller");
    const at = this._place(this._active);
    if (at < scroller.scrollTop) scroller.scrollTop = at;
    else if (at + this._height > scroller.scrollTop + this._view) scroller.scrollTop = at + this._height - this._view;
    this._top = scroller.scrollTop;
    this.requestUpdate();
    this.updateComplete.then(() => this.renderRoot.querySelector(`li[aria-posinset="${this._active + 1}"] > button`)?.focus({ preventScroll: true }));
  }

  _place(index) {
    const opened = this._open === undefined ? -1 : this._lines.findIndex((each) => each.mark === this._open);
    return index * this._height + (opened >= 0 && index > opened ? this._detail : 0);
  }

  _filtered(change) {
    this._filter = Object.fromEntries(Object.entries({ ...this._filter, ...change }).filter(([, value]) => value));
    this._loaded = false;
    this._begin();
  }

  _asked(line) {
    if (line.text) return `“${line.text}”`;
    if (line.kind === "bridge_command") return t("now.device_command", line);
    return t(KINDS[line.kind] ?? "now.call_made");
  }

  _became(line) { return line.reply ?? line.told ?? line.outcome ?? ""; }

  _who(line) {
    if (line.user && this.info?.admin) return this.info.people[line.user] ?? t("common.nobody");
    return line.origin ? t(`now.from_${line.origin}`) : "";
  }

  // What a line says changes with nothing but the day, so it is put into words once.
  _worded(line) {
    line.words ??= {
      asked: this._asked(line),
      became: this._became(line),
      status: statusWord(line),
      when: moment(line.at),
      who: [this._who(line), line.seconds >= 0.1 ? t("common.seconds", { count: number(line.seconds, 1) }) : ""].filter(Boolean).join(" · "),
    };
    return line.words;
  }

  _line(line, index) {
    const open = this._open === line.mark;
    const words = this._worded(line);
    return html`<li style="transform:translateY(${this._place(index)}px)" aria-posinset=${index + 1} aria-setsize=${this._older ? -1 : this._lines.length}>
      <button style="height:${this._height}px" aria-expanded=${open} tabindex=${index === this._active ? 0 : -1} @click=${() => this._toggle(line, index)}>
        ${icon(markOf(line) ?? "note", markOf(line) ?? "soft")}
        <span class="asked-for">${words.asked}</span>
        <span class="when">${words.when}</span>
        <span class="became"><b>${words.status}</b>${words.became}</span>
        <span class="who">${words.who}</span>
      </button>
      ${open ? html`<div class="detail">${this._entry ? walk(this._entry, this.hass) : t("common.loading")}</div>` : nothing}
    </li>`;
  }

  _tools() {
    return html`<div class="tools">
      <h2>${t("now.heading")}</h2>
      <label>${t("now.show")}
        <select @change=${(event) => this._filtered({ status: event.target.value })}>
          <option value="">${t("now.all")}</option>
          ${STATUSES.map((each) => html`<option value=${each}>${t(`status.${each}`)}</option>`)}
        </select>
      </label>
      <label>${t("now.search")}
        <input type="search" @change=${(event) => this._filtered({ words: event.target.value.trim() })} />
      </label>
    </div>`;
  }

  render() {
    const shown = this._lines.length;
    const whole = this._place(shown) + (this._open !== undefined && this._place(shown) === shown * this._height ? this._detail : 0);
    const [begin, end] = [this._begins, this._ends] = this._window();
    if (end + 60 > shown) this._more();
    const indexes = Array.from({ length: Math.max(0, end - begin) }, (_, n) => begin + n);
    if (this._active < shown && !indexes.includes(this._active)) indexes.push(this._active);
    return html`
      ${this._tools()}
      ${this.info && !this.info.admin ? html`<p class="hint">${t("now.only_yours")}</p>` : nothing}
      <div class="scroller" @scroll=${{ handleEvent: (event) => this._scrolled(event), passive: true }} @keydown=${this._keyed}>
        ${this._error ? html`<p class="end">${errorText(this._error)}</p>` : nothing}
        ${this._loaded && !shown ? html`<p class="end">${t(Object.keys(this._filter).length ? "now.empty_filter" : "now.empty")}</p>` : nothing}
        ${!this._loaded && !this._error ? html`<p class="end">${t("common.loading")}</p>` : nothing}
        <ul role="list" aria-label=${t("now.heading")} style="height:${whole}px" ?hidden=${!shown}>
          ${repeat(indexes, (index) => this._lines[index].mark, (index) => this._line(this._lines[index], index))}
        </ul>
        ${shown ? html`<p class="end">${this._older ? t("now.older") : t("now.end")}</p>` : nothing}
      </div>
      <p class="quiet" role="status" aria-live="polite">${this._news}</p>
    `;
  }
}

customElements.define("botpsy-now", NowView);
