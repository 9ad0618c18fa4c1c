// A request's way through the rooms: heard, offered, chosen, the guard, the time that it took.

import { html, nothing } from "./vendor/lit.min.js";
import { bar, nameOf } from "./parts.js";
import { has, listed, named, number, t } from "./strings.js";

const MOST = 5;

const room = (title, content) => html`<dt>${title}</dt><dd>${content}</dd>`;

const heard = (clause, hass) => html`
  <p>${t("walk.meant", { text: clause.text, mood: named("moods", clause.mood) })}</p>
  ${(clause.targets ?? []).slice(0, MOST).map((target) =>
    bar(t("walk.may_mean", { thing: target.label, how: named("how", target.how) }), target.score))}
  ${(clause.values ?? []).map((value) => html`<p>${t("walk.value_heard", { value: plain(value.value) })}</p>`)}
  ${(clause.absent ?? []).map((name) => html`<p>${t("walk.not_here", { name })}</p>`)}
  ${clause.unexplained?.length ? html`<p>${t("walk.not_understood", { words: clause.unexplained.map((each) => `“${each}”`).join(", ") })}</p>` : nothing}
`;

const offered = (clause) =>
  clause.offered?.length
    ? html`${clause.offered.slice(0, MOST).map((each) => bar(t("walk.tool_fits", { tool: named("tools", each.tool) }), each.score))}
        ${clause.offered.length > MOST ? html`<p class="soft">${t("common.more", { count: clause.offered.length - MOST })}</p>` : nothing}`
    : html`<p>${t("walk.no_tool")}</p>`;

const chosen = (clause, hass) => {
  if (!clause.call) return html`<p>${t("walk.nothing_chosen")}</p>`;
  const evidence = clause.evidence ?? {};
  return html`
    <p><strong>${named("tools", clause.call.name)}</strong>${Object.entries(clause.call.args ?? {}).map(([name, value]) =>
      html`<span class="arg">${name.replaceAll("_", " ")}: ${value_(value, hass)}</span>`)}</p>
    <p>${evidence.by_code ? t("walk.by_words") : t("walk.by_model")}</p>
    ${"p_call" in evidence ? bar(t("walk.p_call"), evidence.p_call) : nothing}
    ${"p_refuse" in evidence ? bar(t("walk.p_refuse"), evidence.p_refuse) : nothing}
    ${Object.entries(evidence.p_args ?? {}).map(([name, share]) => bar(t("walk.p_arg", { name: name.replaceAll("_", " ") }), share))}
  `;
};

const guard = (clause) => {
  const { verdict, evidence } = clause;
  if (!verdict) return html`<p>${t("walk.no_guard")}</p>`;
  const risk = verdict.risk ? named("risk", verdict.risk) + "." : "";
  const said = { allow: clause.confirmed ? "walk.confirmed" : "walk.allowed", ask: "walk.asks" }[verdict.kind] ?? "walk.stopped";
  const counted = Object.entries(evidence?.signals ?? {}).filter(([name, value]) => value > 0 && has(`signals.${name}`));
  return html`
    <p><strong>${t(said, { risk })}</strong> ${verdict.reason ? named("reasons", verdict.reason) : nothing}</p>
    ${evidence && "probability" in evidence ? bar(t("walk.certainty"), evidence.probability) : nothing}
    ${counted.length ? html`<p class="soft">${t("walk.counted", { signals: counted.map(([name]) => t(`signals.${name}`)).join("; ") })}</p>` : nothing}
  `;
};

const cost = (usage) => {
  const engine = usage.engine_seconds ?? 0;
  const all = Math.max(usage.seconds ?? 0, engine, 0.000001);
  const read = t("walk.read", { tokens: t("common.tokens", { count: usage.prompt_tokens }), fresh: usage.prompt_tokens_evaluated });
  return html`
    <div class="spent">${time(t("walk.by_code"), all - engine, all)}${engine ? time(t("walk.by_engine"), engine, all) : nothing}</div>
    <p class="soft">${usage.prompt_tokens ? html`${read}. ${t("walk.wrote", { tokens: t("common.tokens", { count: usage.generated_tokens }) })}.` : t("walk.no_model")}</p>
  `;
};

const time = (label, seconds, all) => html`<div class="bar">
  <span>${label}</span>
  <i aria-hidden="true"><b style="width:${Math.round((100 * seconds) / all)}%"></b></i>
  <span>${t("common.seconds", { count: number(seconds, seconds < 1 ? 2 : 1) })}</span>
</div>`;

const plain = (value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : String(value));

const value_ = (value, hass) => (Array.isArray(value) ? listed(value.map((each) => nameOf(hass, String(each)))) : nameOf(hass, plain(value)));

const headings = { refused: "walk.why_refused", asked: "walk.why_asked" };

export const walk = (entry, hass) => {
  const clauses = entry.clauses ?? [];
  const reason = entry.reason && entry.status !== "done" ? named("reasons", entry.reason) : "";
  return html`
    ${reason || entry.reply || entry.secret ? html`<div class="because ${entry.status ?? ""}">
      <h3>${t(headings[entry.status] ?? "walk.what_happened")}</h3>
      ${reason ? html`<p class="reason">${reason}</p>` : nothing}
      ${entry.reply ? html`<p><span class="soft">${t("walk.said")}:</span> “${entry.reply}”</p>` : nothing}
      ${entry.secret ? html`<p class="soft">${t("walk.masked")}</p>` : nothing}
    </div>` : nothing}
    ${clauses.map((clause, index) => html`
      ${clauses.length > 1 ? html`<h3>${t("walk.part", { number: index + 1, text: clause.text })}</h3>` : nothing}
      <dl>
        ${room(t("walk.heard"), heard(clause, hass))}
        ${room(t("walk.offered"), offered(clause))}
        ${room(t("walk.chosen"), chosen(clause, hass))}
        ${room(t("walk.guard"), guard(clause))}
      </dl>`)}
    ${entry.usage ? html`<dl>${room(t("walk.cost"), cost(entry.usage))}</dl>` : nothing}
  `;
};
