// What is nicer with a script: pages beside the answer turn without a reload, zoom, keys, progress as it happens.
"use strict";

const one = (selector, within = document) => within.querySelector(selector);

function busy(form) {
  form.setAttribute("aria-busy", "true");
  const button = one("button:not([type=button])", form);
  if (button) { button.dataset.was = button.textContent; button.textContent = form.dataset.busy; }
}

document.addEventListener("submit", (event) => { if (event.target.dataset.busy && !event.target.dataset.stream && event.target.dataset.told === undefined) busy(event.target); });
function idle(form) {
  form.removeAttribute("aria-busy");
  const button = one("button[data-was]", form);
  if (button) button.textContent = button.dataset.was;
}
window.addEventListener("pageshow", () => document.querySelectorAll("[aria-busy]").forEach(idle));

// the proof beside the answer, or beside a chat
let viewer = null, asked = 0;  // how often a viewer was asked for: only the last is opened
async function turn(address, push) {
  const old = one("#proof");
  old.setAttribute("aria-busy", "true");
  const reply = await fetch(address, { headers: { Accept: "text/html" } });
  if (!reply.ok) { location.href = address; return; }
  const made = new DOMParser().parseFromString(await reply.text(), "text/html");
  const fresh = one("#proof", made), lists = made.querySelectorAll(".citations");
  if (!fresh) { location.href = address; return; }
  old.replaceWith(fresh);
  if (!old.dataset.beside) document.querySelectorAll(".citations").forEach((list, at) => list.replaceWith(lists[at]));
  else fresh.dataset.beside = "yes";
  if (push && !old.dataset.beside) history.pushState({ proof: true }, "", address);
  begin(fresh);
}
document.addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest("a[href$='#proof']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !one("#proof")) return;
  event.preventDefault();
  if (viewer && link.rel && link.closest("#proof")) { viewer.go(viewer.page + (link.rel === "next" ? 1 : -1)); return; }
  const held = link.closest("#proof") ? link.rel : link.getAttribute("href");
  for (const other of document.querySelectorAll(".turn a[aria-current]")) other.removeAttribute("aria-current");
  if (link.closest(".turn")) link.setAttribute("aria-current", "true");
  turn(link.href, true).then(() => {
    const again = [...document.querySelectorAll(".citations a, .turn a, #proof a")].find((a) => a.getAttribute("href") === held || (a.rel && a.rel === held)) || one("#proof a[rel]");
    if (again) again.focus({ preventScroll: true });
    if (innerWidth < 992) (one("#proof .frame") || one("#proof")).scrollIntoView({ block: "center" });
  });
});
window.addEventListener("popstate", () => { if (one("#proof") && !one("#proof").dataset.beside) location.reload(); });

// citation after citation
function cited(step) {
  const links = [...document.querySelectorAll(".citations a, .turn a[href$='#proof']")].filter((link) => link.offsetParent);
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  const next = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step];
  if (next) { next.scrollIntoView({ block: "nearest" }); next.click(); }
}

// the whole document in place of its page: what that takes is loaded when it is asked for, and then each time
async function scrolling(section, on) {
  const button = one("[data-scroll]", section), mine = ++asked;
  localStorage.setItem("scrolling", on ? "yes" : "");
  if (viewer) { viewer.close(); viewer = null; }
  button.setAttribute("aria-pressed", on);
  if (!on) return;
  button.setAttribute("aria-busy", "true");
  try {
    const { Viewer } = await import("/static/viewer.js");
    viewer = await Viewer.open(section, () => mine === asked && section.isConnected) || viewer;
  } catch (error) {  // the page is there all the same
    button.setAttribute("aria-pressed", "false");
    button.textContent = "The document cannot be scrolled";
    button.disabled = true;
  }
  button.removeAttribute("aria-busy");
}
function wholes(root) {
  const section = root === document ? one("#proof[data-whole]") : root.matches("[data-whole]") ? root : null;
  if (!section) { if (viewer) { viewer.close(); viewer = null; } return; }
  const button = one("[data-scroll]", section);
  button.hidden = false;
  button.addEventListener("click", () => scrolling(section, button.getAttribute("aria-pressed") !== "true"));
  if (viewer && viewer.key === section.dataset.source) {
    button.setAttribute("aria-pressed", "true");
    viewer.attach(section);
    viewer.show();
  } else if (viewer || localStorage.getItem("scrolling")) scrolling(section, true);
}

// plots of values: what that takes is loaded where there are some
function plotted(root) { if (one("[data-plot]", root)) import("/static/plots.js").then(({ draw }) => draw(root)); }

// what can be copied: what a button holds, or what stands before it; browsers let a page do so on this machine or over HTTPS
function copies(root) {
  if (navigator.clipboard) for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy || button.previousElementSibling.textContent);
      button.textContent = "Copied";
    });
  }
}

// zoom
function begin(root) {
  copies(root);
  wholes(root);
  plotted(root);
  for (const pane of root.querySelectorAll(".sheet, .read, .proof .scroll")) show(pane);
  for (const tools of root.querySelectorAll("[data-zoom]")) {
    const sheet = one("[data-zoomable]"), picture = sheet && one("svg", sheet);
    if (!picture) continue;
    tools.hidden = false;
    const natural = picture.viewBox.baseVal.width * 4 / 3;
    const widen = (width) => {
      sheet.classList.add("zoomed");
      picture.setAttribute("width", Math.round(Math.min(Math.max(width, 200), natural * 4)));
      show(sheet);
    };
    if (innerWidth < 640) widen(natural * 0.8);  // on a phone a whole page cannot be read
    tools.addEventListener("click", (event) => {
      const by = event.target.dataset.by;
      if (by === undefined) return;
      if (viewer) { if (by === "0") viewer.fit(); else viewer.zoom(by === "1" ? 1.3 : 1 / 1.3); return; }
      if (by === "0") { sheet.classList.remove("zoomed"); picture.removeAttribute("width"); show(sheet); }
      else widen(picture.getBoundingClientRect().width * (by === "1" ? 1.3 : 1 / 1.3));
      const frame = one(".frame", picture);
      if (frame) frame.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
  }
}

// what is cited stands in sight: in the sheet, and in a table that scrolls
function show(within) {
  const cited = one(".frame, .cited, [aria-current]", within);
  if (!cited) return;
  const its = cited.getBoundingClientRect(), whole = within.getBoundingClientRect();
  if (its.top < whole.top || its.bottom > whole.bottom) within.scrollTop += its.top - whole.top - (within.clientHeight - its.height) / 3;
  const right = its.right + 24 - whole.left - within.clientWidth, left = its.left - 24 - whole.left;
  within.scrollLeft += right > 0 ? right : Math.min(left, 0);  // what its row is called stands to the left of it
}
begin(document);
for (const button of document.querySelectorAll(".keys")) { button.hidden = false; button.addEventListener("click", () => KEYS["?"]()); }
for (const list of document.querySelectorAll(".reading .citations, .outline")) show(list);
document.addEventListener("toggle", (event) => { for (const table of event.target.querySelectorAll(".scroll")) show(table); }, true);

// a long question is seen whole: the field grows as it is written, and Enter asks as before
function grow(field) { field.style.height = "auto"; field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`; }
const line = one("input#q");
if (line) {
  const question = document.createElement("textarea"), held = document.activeElement === line;
  for (const { name, value } of line.attributes) if (name !== "value" && name !== "autofocus") question.setAttribute(name, value);
  question.rows = 1;
  question.value = line.value;
  line.replaceWith(question);
  if (held || line.autofocus) question.focus();
  grow(question);
  question.addEventListener("input", () => grow(question));
  window.addEventListener("resize", () => grow(question));
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    question.form.requestSubmit();
  });
}

// a long list of documents to tick, filtered as one writes
for (const field of document.querySelectorAll("[data-narrow]")) {
  field.hidden = false;
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  field.addEventListener("input", () => {
    for (const label of field.parentElement.querySelectorAll("label")) label.hidden = !label.textContent.toLowerCase().includes(field.value.toLowerCase());
  });
}

// work under way
function files(list, told) {
  if (!list) return;
  list.replaceChildren(...Object.entries(told).map(([name, { pages, read: over }]) => {
    const line = made("li", over ? "over" : "", ""), said = made("span", "small", ` ${pages} page${pages === 1 ? "" : "s"} read${over ? ", done" : ""}`);
    line.append(made("bdi", "", name), said);
    return line;
  }));
}
const followed = one("[data-follow]");
if (followed) {
  const source = new EventSource(followed.dataset.follow), words = JSON.parse(followed.dataset.words);
  let said = "";
  source.addEventListener("job", (event) => {
    const job = JSON.parse(event.data);
    for (const name of ["state", "phase", "note"]) one(`[data-told=${name}]`, followed).textContent = words[job[name]] || job[name];
    files(one("[data-told=files]", followed), job.files || {});
    if (job.total) one("progress", followed).value = job.done / job.total;
    if (job.phase !== said) { said = job.phase; one("[data-told=said]", followed).textContent = `${words[job.state]}: ${words[job.phase] || job.phase}`; }
    if (["done", "failed", "stopped"].includes(job.state)) { source.close(); location.reload(); }
  });
}

// files: dropped anywhere, sent with their progress, then followed as they are read
function sent(address, body, telling) {
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.setRequestHeader("Accept", "application/json");  // what is wrong is told in the interface's own words
  const failed = (why) => {
    telling.className = "telling wrong";
    telling.textContent = why;
    if (uploads) idle(uploads);
  };
  request.upload.addEventListener("progress", (event) => { telling.textContent = `Sending: ${Math.round(100 * event.loaded / event.total)}%`; });
  request.addEventListener("load", () => {
    if (request.status < 400) { location.href = request.responseURL; return; }
    failed(/json/.test(request.getResponseHeader("content-type")) ? JSON.parse(request.responseText).detail : request.statusText);
  });
  request.addEventListener("error", () => failed("The connection was lost: send the files again."));
  telling.textContent = "Sending …";
  request.send(body);
}
function telling(form) {
  const told = one(".telling", form) || made("p", "telling", "");
  told.className = "telling";
  told.setAttribute("role", "status");
  form.append(told);
  return told;
}
const uploads = one("form.upload"), upload = document.body.dataset.upload;
if (uploads && uploads.getAttribute("action") === upload) uploads.addEventListener("submit", (event) => {
  event.preventDefault();
  sent(upload, new FormData(uploads), telling(uploads));
});
const holds = (event) => [...(event.dataTransfer ? event.dataTransfer.types : [])].includes("Files");
if (upload || uploads) {
  const veil = made("div", "veil", uploads && uploads.getAttribute("action") !== upload ? "Drop it to fill a grid" : `Drop files to add them to ${document.body.dataset.corpus}`);
  veil.hidden = true;
  document.body.append(veil);
  document.addEventListener("dragover", (event) => { if (holds(event)) { event.preventDefault(); veil.hidden = false; } });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) veil.hidden = true; });
  document.addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    veil.hidden = true;
    if (uploads && uploads.getAttribute("action") !== upload) {
      one("input[type=file]", uploads).files = event.dataTransfer.files;
      uploads.requestSubmit();
      return;
    }
    const body = new FormData();
    for (const file of event.dataTransfer.files) body.append("files", file);
    sent(upload, body, telling(uploads || one("main")));
  });
}
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sure && !confirm(event.target.dataset.sure)) event.preventDefault();
}, true);

// where a correction stands: a box drawn on the page, or a cell of the table as data
function mark(place, words) { one("#place").value = place; one("#marked").textContent = words; }
function correcting(root) {
  const correction = one("#correct", root);
  if (!correction) return;
  one("[data-marking]", correction).hidden = false;
  correction.closest("details").addEventListener("toggle", (event) => document.body.classList.toggle("choosing", event.target.open));
  one("#mark").addEventListener("click", () => {
    const sheet = one("#proof .leaves") || one("#proof .sheet");
    if (!sheet) { one("#marked").textContent = "this page cannot be drawn"; return; }
    sheet.classList.add("marking");
    sheet.scrollIntoView({ block: "nearest" });
  });
}
correcting(document);
{
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("#proof [data-node] :is(td, th)[data-at]");
    if (!cell || !document.body.classList.contains("choosing")) return;
    for (const other of document.querySelectorAll(".chosen")) other.classList.remove("chosen");
    cell.classList.add("chosen");
    mark(`cell ${cell.closest("[data-node]").dataset.node} ${cell.dataset.at}`, `in the cell “${cell.textContent.trim()}”`);
  });
  let from = null, drawn = null;
  const point = (event, picture) => new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  document.addEventListener("pointerdown", (event) => {
    const picture = event.target.closest(".marking svg");
    if (!picture) return;
    event.preventDefault();
    for (const old of document.querySelectorAll("rect.mark")) old.remove();
    const leaf = picture.closest(".leaf");
    if (leaf) one("#proof").dataset.page = leaf.dataset.page;
    from = point(event, picture);
    drawn = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    drawn.setAttribute("class", "mark");
    picture.append(drawn);
  });
  document.addEventListener("pointermove", (event) => {
    if (!drawn) return;
    const to = point(event, drawn.ownerSVGElement);
    const edges = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
    for (const [name, value] of Object.entries(edges)) drawn.setAttribute(name, Math.max(0, value).toFixed(2));
  });
  document.addEventListener("pointerup", () => {
    if (!drawn) return;
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(drawn.getAttribute(name)));
    const proof = one("#proof");
    if (width > 2 && height > 2) mark(`box ${proof.dataset.doc} ${proof.dataset.page} ${x} ${y} ${x + width} ${y + height}`, `in a box on page ${proof.dataset.page}`);
    one(".marking").classList.remove("marking");
    drawn = null;
  });
}

// a chat opens at its end, with the page of its last answer beside it where there is room
const latest = one("#turns .turn:last-child");
if (latest && !location.hash) latest.scrollIntoView({ block: "end", behavior: "instant" });
function beside(turned) {
  const link = turned && one("a[href$='#proof']", turned);
  if (!link || innerWidth < 992) return;
  for (const other of document.querySelectorAll(".turn a[aria-current]")) other.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  turn(link.href, false);
}
beside(latest);

// a turn of a chat, told as it goes
function made(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}
async function* told(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    let end;
    while ((end = held.indexOf("\n\n")) >= 0) {
      const event = held.slice(0, end);
      held = held.slice(end + 2);
      yield [/^event: (.*)$/m.exec(event)[1], JSON.parse(/^data: (.*)$/m.exec(event)[1])];
    }
  }
}

// a question that a model reads for: how far it is, then the page with the answer; leaving the page stops it
async function waitFor(form) {
  const address = `${form.action}?${new URLSearchParams(new FormData(form))}`, line = telling(form);
  busy(form);
  try {
    const reply = await fetch(address, { headers: { Accept: "text/event-stream" } });
    if (/event-stream/.test(reply.headers.get("content-type"))) {
      for await (const [name, data] of told(reply)) {
        if (data.doing) line.textContent = `${data.doing} …`;
        if (name === "failed") throw new Error(data.detail);
      }
    }
    location.href = address;
  } catch (error) {
    line.className = "telling wrong";
    line.textContent = error.message;
    idle(form);
  }
}
document.addEventListener("submit", (event) => {
  if (event.target.dataset.told === undefined || event.defaultPrevented) return;
  event.preventDefault();
  waitFor(event.target);
});
async function say(form) {
  const field = one("#q", form), turns = one("#turns"), asked = field.value.trim();
  if (!asked) return;
  const turn = made("article", "turn", ""), doing = made("p", "small", "searching …"), prose = made("p", "prose", "");
  turn.append(made("p", "asked", asked), doing, prose);
  turns.append(turn);
  turn.scrollIntoView({ block: "end" });
  const body = new URLSearchParams(new FormData(form));
  field.value = "";
  grow(field);
  busy(form);
  const failed = (why) => { doing.className = "wrong"; doing.textContent = why; };
  try {
    const reply = await fetch(form.dataset.stream, { method: "POST", body, headers: { Accept: "text/event-stream" } });
    if (!reply.ok) { failed((await reply.json()).detail); return; }
    for await (const [name, data] of told(reply)) {
      if (name === "failed") failed(data.detail);
      if (name === "turn") {
        const fresh = new DOMParser().parseFromString(data.html, "text/html");
        const article = one("article", fresh);
        turn.replaceWith(article);
        plotted(article);
        copies(article);
        beside(article);
        if (!form.elements.chat.value) { form.elements.chat.value = data.chat; history.replaceState(null, "", `${form.dataset.stream}/${data.chat}`); }
      }
      if (data.doing) doing.textContent = `${data.doing} …`;
      if (data.said) doing.before(made("p", "small", data.said));
      if (data.value) doing.before(made("p", "value long", data.value), made("p", "", data.reason));
      if (data.sentence) prose.textContent += ` ${data.sentence}`;
    }
  } catch (error) { failed("the connection was lost; what was answered is kept in the list of chats"); }
  finally { idle(form); field.focus(); }
}
document.addEventListener("submit", (event) => {
  if (!event.target.dataset.stream) return;
  event.preventDefault();
  say(event.target);
});

// the queue of reviews, gone through by key
const queue = one(".queue");
function along(step) {
  if (!queue) return;
  const rows = [...queue.tBodies[0].rows], at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at < 0 ? 0 : at + step];
  if (next) one("a", next).focus();
}
function selected() {
  const row = document.activeElement.closest("tr"), box = row && one("[type=checkbox]", row);
  if (box) box.checked = !box.checked;
}
const all = one("[data-all]");
if (all) {
  all.hidden = false;
  all.addEventListener("click", () => queue.querySelectorAll("[type=checkbox]").forEach((box) => { box.checked = true; }));
}

// keys
const KEYS = {
  "/": () => { const field = one("#q"); if (field) { field.focus(); field.select(); } },
  n: () => cited(1), p: () => cited(-1),
  v: () => { const button = one("[data-scroll]:not([hidden])"); if (button) button.click(); },
  "+": () => { const button = one("[data-by='1']"); if (button) button.click(); },
  "-": () => { const button = one("[data-by='-1']"); if (button) button.click(); },
  "0": () => { const button = one("[data-by='0']"); if (button) button.click(); },
  ...(queue ? { j: () => along(1), k: () => along(-1), x: selected, o: () => { if (document.activeElement.matches(".queue a")) document.activeElement.click(); } } : {}),
  "?": () => { const help = one("#keys"); if (help.open) help.close(); else help.showModal(); },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  const link = one(`[data-key="${CSS.escape(event.key)}"]`);
  if (link) { event.preventDefault(); link.click(); return; }
  if (KEYS[event.key] && (!one("dialog[open]") || event.key === "?")) { event.preventDefault(); KEYS[event.key](); }
});
