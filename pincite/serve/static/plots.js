// Plots: the tables of values on a page, drawn; a point leads to where its value was read.
import "/static/vendor/chartjs/chart.umd.min.js";

const SHAPES = ["circle", "rect", "triangle", "rectRot"], HUES = 8;  // who cannot tell colours apart sees shapes
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const dark = matchMedia("(prefers-color-scheme: dark)"), style = getComputedStyle(document.documentElement);
const coloured = (name) => style.getPropertyValue(name).trim();
Object.assign(Chart.defaults.font, { family: style.fontFamily, size: 13 });

/** The values of a table: what each is of, what it stands over (a year, a number or a name), and the link of its row. */
function pointsOf(figure) {
  return [...figure.querySelectorAll("tbody tr")].map((row) => {
    const cells = [...row.cells].map((cell) => cell.textContent), name = cells[0], said = cells.pop();
    return { name, said, along: cells[1], x: "over" in row.dataset ? Number(row.dataset.over) : name, y: Number(row.dataset.value), link: row.querySelector("a") };
  });
}

function series(points, name, at) {
  const colour = coloured(`--s${at % HUES}`);
  return {
    label: name, data: points, borderColor: colour, backgroundColor: colour, pointBorderColor: coloured("--paper"), maxBarThickness: 22,
    pointStyle: SHAPES[at % SHAPES.length], pointRadius: 6, pointHoverRadius: 9, pointHitRadius: 10,
  };
}

function axis(text, more, ticks) {
  const [ink, soft, line] = ["--ink", "--soft", "--line"].map(coloured);
  return { title: { display: Boolean(text), text, color: ink }, ticks: { color: soft, ...ticks }, grid: { color: line }, border: { color: soft }, ...more };
}

function scales(kind, points, unit, along) {
  const years = { stepSize: 1, callback: (year) => (Number.isInteger(year) ? String(year) : "") }, value = axis(unit, { beginAtZero: kind === "bar" });
  if (kind === "bar") return { x: value, y: axis("", { type: "category", labels: points.map(({ name }) => name), grid: { display: false } }, { autoSkip: false }) };
  return { x: axis(along, { type: "linear", offset: kind === "line" }, kind === "line" ? years : {}), y: value };
}

function config(figure, points) {
  const { plot: kind, unit, along } = figure.dataset, names = kind === "line" ? [...new Set(points.map(({ name }) => name))] : [""];
  const words = ({ raw }) => [...(along ? [`${along}: ${raw.along}`] : []), `${unit || "value"}: ${raw.said}`];
  return {
    type: kind,
    data: { datasets: names.map((name, at) => series(points.filter((point) => !name || point.name === name), name, at)) },
    options: {
      animation: false, maintainAspectRatio: false, locale: "en", indexAxis: kind === "bar" ? "y" : "x", scales: scales(kind, points, unit, along),
      ...(kind === "bar" ? { parsing: { xAxisKey: "y", yAxisKey: "x" } } : {}),
      plugins: {
        legend: { display: kind === "line", position: "bottom", align: "start", labels: { color: coloured("--ink"), usePointStyle: true } },
        tooltip: { displayColors: false, callbacks: { title: ([item]) => item.raw.name, label: words } },
      },
    },
  };
}

/** The boxes of a figure: a canvas that takes keys, and a line that says what they reach. */
function made(figure, points) {
  const box = document.createElement("div"), canvas = document.createElement("canvas"), status = document.createElement("p"), values = figure.querySelector("details");
  box.className = "plot";
  box.style.height = figure.dataset.plot === "bar" ? `${70 + 30 * points.length}px` : "21rem";
  status.className = "hidden";
  status.setAttribute("role", "status");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${figure.querySelector("figcaption").textContent}: a plot. The arrow keys go from value to value, Enter opens where it was read.`);
  box.append(canvas, status);
  values.before(box);
  values.open = false;
  return { canvas, status };
}

function plot(figure) {
  const points = pointsOf(figure), { canvas, status } = made(figure, points);
  let chart, at = -1, tapped;
  const open = ({ datasetIndex, index }) => { const { link } = chart.data.datasets[datasetIndex].data[index]; if (link) link.click(); };
  const click = ({ native }, [found]) => {  // a first tap tells the value, a second opens it
    const again = Boolean(found) && found.element === tapped;
    tapped = found && found.element;
    if (found && (again || native.pointerType !== "touch")) open(found);
  };
  const point = ({ native }, [found]) => { native.target.style.cursor = found ? "pointer" : ""; };
  const draw = () => {
    if (chart) chart.destroy();
    chart = new Chart(canvas, config(figure, points));
    Object.assign(chart.options, { onClick: click, onHover: point });
  };
  draw();
  dark.addEventListener("change", draw);
  canvas.addEventListener("keydown", (event) => {
    const places = chart.data.datasets.flatMap(({ data }, datasetIndex) => data.map((_, index) => ({ datasetIndex, index })));
    if (event.key === "Enter" && at >= 0) open(places[at]);
    if (!STEPS[event.key]) return;
    event.preventDefault();
    at = Math.min(Math.max(at + STEPS[event.key], 0), places.length - 1);
    chart.setActiveElements([places[at]]);
    chart.tooltip.setActiveElements([places[at]], { x: 0, y: 0 });
    chart.update();
    status.textContent = [...chart.tooltip.title, ...chart.tooltip.body.flatMap(({ lines }) => lines)].join(", ");
  });
}

/** Draw the plots within an element. */
export function draw(root) {
  for (const figure of root.querySelectorAll("[data-plot]:not([data-drawn])")) {
    figure.dataset.drawn = "yes";
    plot(figure);
  }
}
