// The editor of a grid: one more column, the periods of all, and columns that a spreadsheet copied.
const body = document.querySelector(".columns tbody"), more = document.querySelector("[data-more]");

function added() {
  const row = body.rows[body.rows.length - 1].cloneNode(true);
  for (const field of row.querySelectorAll("input, select")) {
    field.value = "";
    field.setAttribute("aria-label", field.getAttribute("aria-label").replace(/\d+$/, body.rows.length + 1));
  }
  body.append(row);
  return row;
}
more.hidden = false;
more.addEventListener("click", () => added().querySelector("input").focus());

// periods of all columns at once
const periods = document.querySelector("[data-periods]");
periods.hidden = false;
periods.addEventListener("input", (event) => {
  for (const field of body.querySelectorAll("[name=period]")) field.value = event.target.value;
});

// a block of cells fills the fields to the right and below, a single text only its own
body.addEventListener("paste", (event) => {
  const lines = event.clipboardData.getData("text/plain").trimEnd().split(/\r?\n/).map((line) => line.split("\t"));
  if (lines.length === 1 && lines[0].length === 1) return;
  event.preventDefault();
  const start = event.target.closest("td").cellIndex;
  let row = event.target.closest("tr");
  for (const line of lines) {
    row = row || added();
    for (const [at, text] of line.entries()) {
      const cell = row.cells[start + at];
      if (cell) cell.querySelector("input, select").value = text.trim();
    }
    row = row.nextElementSibling;
  }
});
