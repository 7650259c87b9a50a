// A grid as a workplace: rows sorted and filtered, cells gone through by key and copied, the answer of a cell beside it.
import "/static/vendor/datatables/dataTables.min.js";
import "/static/vendor/keytable/dataTables.keyTable.min.js";

const table = document.querySelector("[data-grid]"), body = table.tBodies[0], panel = document.querySelector("#panel");
const tools = document.querySelector("[data-grid-tools]"), told = tools.querySelector("[data-told]");
const linkOf = (cell) => cell.querySelector("a");
const said = (cell) => cell.querySelector("bdi").textContent;
let first = null, block = [];  // the cells that are chosen, line by line, and the one that this began with

// sorted by a column: numbers as numbers, what has no value last either way
function compared(a, b) {
  const numbers = !isNaN(a) && !isNaN(b);
  return numbers ? a - b : a.localeCompare(b);
}
const order = (way) => (a, b) => (a && b ? way * compared(a, b) : Number(!a) - Number(!b));
DataTable.type("value", { order: { asc: order(1), desc: order(-1) } });
const grid = new DataTable(table, {
  paging: false, info: false, autoWidth: false, order: [], columnDefs: [{ targets: "_all", type: "value" }],
  keys: { keys: [35, 36, 37, 38, 39, 40], clipboard: false, tabIndex: -1 },  // End, Home and the arrows
  layout: { topStart: null, topEnd: null, bottomStart: null, bottomEnd: null },
});

// filtered by words, and by the status of cells
tools.hidden = false;
const only = tools.querySelector("#only"), words = tools.querySelector("#filter");
grid.search.fixed("only", (text, data, at) => !only.value || Boolean(grid.row(at).node().querySelector(`.cell.${only.value}`)));
tools.addEventListener("input", () => {
  grid.search(words.value).draw();
  tell();
});
function tell() {
  const { recordsDisplay: shown, recordsTotal: all } = grid.page.info(), rows = shown < all ? `${shown} of ${all} rows` : "";
  told.textContent = block.flat().length > 1 ? `${block.length} × ${block[0].length} cells chosen, to be copied` : rows;
}

// the answer of a cell, with its page, review and all, as on its own page
async function open(link) {
  for (const cell of table.querySelectorAll(".looked")) cell.classList.remove("looked");
  if (link.closest(".cell")) link.closest(".cell").classList.add("looked");
  panel.hidden = false;
  panel.setAttribute("aria-busy", "true");
  const reply = await fetch(link.href, { headers: { Accept: "text/html" } });
  if (!reply.ok) { location.href = link.href; return; }
  const page = new DOMParser().parseFromString(await reply.text(), "text/html"), split = page.querySelector(".split");
  const head = document.createElement("div");
  head.className = "row between";
  head.innerHTML = '<h2></h2><span class="row"><a class="small">Its own page</a><button type="button" class="quiet">Close</button></span>';
  head.querySelector("h2").textContent = page.querySelector("h1").textContent;
  head.querySelector("a").href = link.href;
  head.querySelector("button").addEventListener("click", () => { panel.hidden = true; link.focus(); });
  split.classList.add("alone");
  panel.replaceChildren(head, split);
  panel.removeAttribute("aria-busy");
  begin(panel);
  correcting(panel);
}
document.addEventListener("click", (event) => {
  const link = event.target.closest(".cell a, [data-plot] a");
  if (!link || panel.contains(link) || event.ctrlKey || event.metaKey || event.shiftKey || innerWidth < 992) return;
  event.preventDefault();
  open(link);
});

// by key: the table's own focus is that of the browser, so that it is also said; with Shift a block of cells is chosen
function choose(cell, more) {
  for (const other of block.flat()) other.classList.remove("picked");
  if (!more || !first || !body.contains(first)) first = cell;
  const lines = [...body.rows], ends = (a, b) => [Math.min(a, b), Math.max(a, b) + 1];
  const rows = ends(lines.indexOf(first.parentNode), lines.indexOf(cell.parentNode)), columns = ends(first.cellIndex, cell.cellIndex);
  block = lines.slice(...rows).map((row) => [...row.cells].slice(...columns));
  for (const other of block.flat()) other.classList.toggle("picked", block.flat().length > 1);
  tell();
}
grid.on("key-focus", (event, api, focused, from) => {
  const cell = focused.node(), link = linkOf(cell);
  if (!link) cell.tabIndex = -1;
  choose(cell, from && from.shiftKey);
  if (cell.contains(document.activeElement)) return;
  (link || cell).focus();
  if (link && !panel.hidden) open(link);
});
grid.on("key-refocus", (event, api, focused, from) => { if (from) choose(focused.node(), from.shiftKey); });
grid.on("key-blur", (event, api, blurred) => blurred.node().removeAttribute("tabindex"));
body.addEventListener("focusin", (event) => grid.cell(event.target.closest("td, th")).focus());
body.addEventListener("focusout", (event) => { if (!body.contains(event.relatedTarget)) grid.cell.blur(); });
document.addEventListener("copy", (event) => {
  if (!body.contains(document.activeElement) || !getSelection().isCollapsed) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", block.map((line) => line.map(said).join("\t")).join("\n"));
});
function along(step) {
  const now = document.activeElement.closest("[data-grid] tbody :is(td, th)"), lines = [...body.rows];
  const row = lines[now ? lines.indexOf(now.parentNode) + step : 0];
  if (row) grid.cell(row.cells[now ? now.cellIndex : 1]).focus();
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  if (event.key === "j" || event.key === "k") along(event.key === "j" ? 1 : -1);
  if (event.key === "o" && event.target.closest(".cell a")) open(event.target);
  if (event.key === "Escape") panel.hidden = true;
});

// while it is filled: its cells as they come
async function filling() {
  const reply = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!reply.ok) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html"), told = page.querySelector("[data-filling]");
  const rows = new Map([...page.querySelector("[data-grid]").tBodies[0].rows].map((row) => [row.cells[0].textContent, row]));
  for (const row of grid.rows().nodes().toArray()) {
    const other = rows.get(row.cells[0].textContent);
    if (!told || !other || other.cells.length !== row.cells.length) { location.reload(); return; }
    for (const [at, cell] of [...row.cells].entries()) {
      const now = other.cells[at];
      if (!at || cell.innerHTML === now.innerHTML) continue;
      cell.innerHTML = now.innerHTML;
      cell.className = now.className;
      cell.dataset.order = now.dataset.order;
      grid.cell(cell).invalidate();
    }
  }
  document.querySelector("[data-filling]").replaceChildren(...told.childNodes);
  setTimeout(filling, 2000);
}
if (document.querySelector("[data-filling]")) setTimeout(filling, 1000);
