// A grid as a workplace: rows sorted and filtered, cells gone through by key, the answer of a cell beside it.
"use strict";
{
  const table = document.querySelector("[data-grid]"), panel = document.querySelector("#panel");
  const body = table.tBodies[0], rows = [...body.rows], tools = document.querySelector("[data-grid-tools]");
  tools.hidden = false;

  // sorted by a column: numbers as numbers, what has none last; a second time the other way round
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => { const cell = row.cells[at]; return cell.dataset.value ?? cell.textContent.trim(); };
      const order = (a, b) => {
        const [x, y] = [value(a), value(b)];
        if (!x || !y) return (y ? 1 : 0) - (x ? 1 : 0) || 0;
        const both = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
        return (both ? x - y : x.localeCompare(y)) * (down ? -1 : 1);
      };
      rows.sort(order);
      body.append(...rows);
    });
  });

  function filter() {
    const words = tools.querySelector("#filter").value.toLowerCase(), only = tools.querySelector("#only").value;
    for (const row of rows) row.hidden = !(row.textContent.toLowerCase().includes(words) && (!only || row.querySelector(`.cell.${only}`)));
    const shown = rows.filter((row) => !row.hidden).length;
    tools.querySelector("[data-shown]").textContent = shown < rows.length ? `${shown} of ${rows.length} rows` : "";
  }
  tools.addEventListener("input", filter);

  // the answer of a cell, with its page, review and all, as on its own page
  async function open(link) {
    for (const cell of table.querySelectorAll(".looked")) cell.classList.remove("looked");
    link.closest("td").classList.add("looked");
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
  table.addEventListener("click", (event) => {
    const link = event.target.closest(".cell a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || innerWidth < 992) return;
    event.preventDefault();
    open(link);
  });

  // by key: j and k go down and up, the arrows everywhere
  const links = () => [...body.rows].filter((row) => !row.hidden).map((row) => [...row.cells].slice(1).map((cell) => cell.querySelector("a")));
  function move(down, right) {
    const all = links(), now = document.activeElement.closest ? document.activeElement.closest("td.cell") : null;
    let at = now ? all.findIndex((line) => line.includes(now.querySelector("a"))) : -1;
    let column = now ? now.cellIndex - 1 : 0;
    if (at < 0) { at = 0; column = 0; } else { at += down; column += right; }
    const next = all[at] && all[at][column];
    if (!next) return;
    next.focus();
    if (!panel.hidden) open(next);
  }
  const MOVES = { j: [1, 0], k: [-1, 0], ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    const arrow = event.key.startsWith("Arrow");
    if (MOVES[event.key] && (!arrow || event.target.closest("[data-grid]"))) { event.preventDefault(); move(...MOVES[event.key]); }
    if (event.key === "o" && event.target.closest(".cell")) open(event.target);
    if (event.key === "Escape" && !panel.hidden) panel.hidden = true;
  });
}
