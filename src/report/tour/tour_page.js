// Draws the tour: a section for each stop, with its plots, tables and listings.
"use strict";
const tour = JSON.parse(document.getElementById("tour").textContent);
const hasCharts = typeof Chart !== "undefined";
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function element(kind, text, className) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
const distinct = values => [...new Set(values)];
const withUnit = figure => figure.unit ? `${figure.metric}, ${figure.unit}` : figure.metric;

// Breaks a name into lines that fit beside a plot.
function lines(name) {
  const made = [""];
  for (const word of name.split(" ")) {
    const last = made.length - 1;
    if (made[last] && made[last].length + word.length > 22) made.push(word);
    else made[last] += (made[last] && " ") + word;
  }
  return made;
}

// 20K for 20,000, since long numbers would overlap. A logarithmic axis leaves some ticks
// unlabelled.
function shortTick(value, index, ticks) {
  const isNamed = this.type !== "logarithmic" || Chart.Ticks.formatters.logarithmic.call(this, value, index, ticks);
  return isNamed ? new Intl.NumberFormat("en", { notation: "compact" }).format(value) : "";
}

// A bar for each variant. If the values differ widely, the axis is logarithmic, so that small ones
// are visible.
function bars(figures) {
  const box = element("figure"), frame = element("div"), canvas = element("canvas");
  const caption = element("figcaption", figures[0].metric);
  const values = figures.map(figure => figure.value);
  const isLogarithmic = Math.min(...values) > 0 && Math.max(...values) > 100 * Math.min(...values);
  const unit = [figures[0].unit, isLogarithmic ? "logarithmic" : ""].filter(Boolean).join(", ");
  if (unit) caption.append(element("span", " " + unit));
  const labels = figures.map(figure => lines(figure.variant));
  const height = Math.max(...labels.map(label => label.length)) > 1 ? 34 : 26;
  frame.style.height = 60 + height * figures.length + "px";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label",
    withUnit(figures[0]) + ": " + figures.map(one => `${one.variant} ${one.text}`).join("; "));
  frame.append(canvas);
  box.append(caption, frame);
  return { box, draw: () => new Chart(canvas, {
    type: "bar",
    data: { labels,
            datasets: [{ data: values, backgroundColor: colour("--bar"), maxBarThickness: 18 }] },
    options: {
      indexAxis: "y", animation: false, maintainAspectRatio: false,
      plugins: { legend: { display: false },
                 tooltip: { callbacks: { label: item => figures[item.dataIndex].text } } },
      scales: { x: { type: isLogarithmic ? "logarithmic" : "linear", beginAtZero: true,
                     grid: { color: colour("--rule") }, ticks: { maxTicksLimit: 5, maxRotation: 0, callback: shortTick } },
                y: { grid: { display: false }, ticks: { autoSkip: false } } } } }) };
}

// The scan from above, with a colour for each cluster.
function scatter(points) {
  const box = element("figure", undefined, "wide"), frame = element("div"), canvas = element("canvas");
  const sizes = new Map();
  for (const [, , label] of points) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const labels = [...sizes.keys()].filter(label => label >= 0).sort((a, b) => a - b);
  const places = label => points.filter(point => point[2] === label).map(([x, y]) => ({ x, y }));
  const datasets = labels.map((label, index) => ({
    label: `cluster ${label}`, data: places(label), pointRadius: 1.6, pointBorderWidth: 0,
    backgroundColor: `hsl(${(index * 137.5) % 360} 65% 52%)` }));
  datasets.push({ label: "noise and ground", data: places(-1), pointRadius: 0.8, pointBorderWidth: 0,
                  backgroundColor: colour("--soft") });
  box.append(element("figcaption", "the scan from above, one colour per cluster; in metres"), frame);
  // The part of the street that has clusters, with the same scale on both axes.
  const reach = axis => {
    const values = points.filter(point => point[2] >= 0).map(point => point[axis]);
    return [Math.floor(Math.min(...values)) - 2, Math.ceil(Math.max(...values)) + 2];
  };
  const [left, right] = reach(0), [low, high] = reach(1);
  const scale = (min, max) => ({ min, max, grid: { color: colour("--rule") }, ticks: { maxRotation: 0 } });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${points.length} points of a street in ${labels.length} clusters`);
  frame.append(canvas);
  return { box, draw: () => new Chart(canvas, {
    type: "scatter", data: { datasets },
    options: { animation: false, aspectRatio: (right - left) / (high - low), plugins: { legend: { display: false } },
               scales: { x: scale(left, right), y: scale(low, high) } } }) };
}

function table(figures) {
  const scroll = element("div", undefined, "scroll"), made = element("table");
  const metrics = distinct(figures.map(figure => figure.metric));
  const head = element("tr");
  head.append(element("th", ""));
  for (const metric of metrics) head.append(element("th", withUnit(figures.find(one => one.metric === metric))));
  made.append(head);
  for (const variant of distinct(figures.map(figure => figure.variant))) {
    const row = element("tr");
    row.append(element("td", variant));
    for (const metric of metrics) {
      const figure = figures.find(one => one.variant === variant && one.metric === metric);
      row.append(element("td", figure ? figure.text : "-"));
    }
    made.append(row);
  }
  scroll.append(made);
  return scroll;
}

// Plots are drawn once they are in the page.
function section(stop) {
  const made = element("section"), plots = [];
  made.id = stop.name;
  made.append(element("h2", stop.title), element("p", stop.verdict, "verdict " + stop.state.replace(" ", "-")));
  made.append(element("p", stop.idea));
  for (const note of stop.notes) made.append(element("p", note, "soft"));
  if (stop.figures.length > 0) made.append(element("p", stop.source, "soft"));
  if (stop.listing) made.append(element("pre", stop.listing));
  if (stop.points.length > 0 && hasCharts) plots.push(scatter(stop.points)), made.append(plots[0].box);
  const experiments = distinct(stop.figures.map(figure => figure.experiment));
  for (const experiment of experiments) {
    const figures = stop.figures.filter(figure => figure.experiment === experiment);
    if (experiments.length > 1) made.append(element("h3", experiment));
    const charts = element("div", undefined, "charts");
    for (const metric of distinct(figures.map(figure => figure.metric))) {
      const shown = figures.filter(figure => figure.metric === metric);
      // Values that are all the same need no plot.
      if (!hasCharts || distinct(shown.map(figure => figure.value)).length < 2) continue;
      plots.push(bars(shown));
      charts.append(plots[plots.length - 1].box);
    }
    const details = element("details");
    details.append(element("summary", "as a table"), table(figures));
    details.open = charts.children.length === 0;
    made.append(charts, details);
  }
  document.getElementById("stops").append(made);
  for (const plot of plots) plot.draw();
  return plots.length;
}

document.getElementById("device").textContent = tour.device;
document.getElementById("machine").textContent =
  `${tour.machine}; ${tour.date}; heddle ${tour.heddle}${tour.quick ? ", --quick" : ""}, ${tour.seconds.toFixed(0)} s`;
for (const stop of tour.stops) {
  const link = element("a", stop.title);
  link.href = "#" + stop.name;
  document.getElementById("contents").append(link);
}
if (hasCharts) {
  Chart.defaults.color = colour("--ink");
  Chart.defaults.font.family = "system-ui, sans-serif";
} else {
  document.getElementById("machine").after(
    element("p", "heddle was built without Chart.js (libjs-chart.js), so this page has tables but no plots.", "soft"));
}
document.body.dataset.plots = tour.stops.reduce((sum, stop) => sum + section(stop), 0);
