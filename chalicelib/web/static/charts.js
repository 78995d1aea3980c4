// Draws the results' plots with uPlot from the numbers that stand beside them as tables.
(() => {
  "use strict";

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const scaled = (values) => {
    const most = Math.max(...values, 1);
    return values.map((value) => Math.round((100 * value) / most));
  };
  const axis = () => ({ stroke: colour("--soft"), grid: { stroke: colour("--line") } });

  const days = (box, rows) => {
    const at = rows.map(([day]) => Date.parse(day) / 1000);
    const series = [{}, { label: "views", stroke: colour("--accent"), fill: colour("--band"), width: 2 }];
    const options = { width: box.clientWidth, height: 220, series, axes: [axis(), axis()], tzDate: (s) => uPlot.tzDate(new Date(s * 1000), "UTC") };
    return new uPlot(options, [at, rows.map(([, views]) => views)], box);
  };

  const hours = (box, [learned, curve]) => {
    const series = [{ label: "hour" }, { label: "your posts", stroke: colour("--accent"), width: 2 }, { label: "audience", stroke: colour("--blue"), width: 2, dash: [6, 4] }];
    const options = { width: box.clientWidth, height: 200, series, axes: [axis(), axis()], scales: { x: { time: false } } };
    const data = [learned.map((_, hour) => hour), scaled(learned), curve.length ? scaled(curve) : learned.map(() => null)];
    return new uPlot(options, data, box);
  };

  for (const box of document.querySelectorAll("[data-plot]")) {
    const plot = { days, hours }[box.dataset.plot](box, JSON.parse(box.dataset.series));
    addEventListener("resize", () => plot.setSize({ width: box.clientWidth, height: plot.height }));
  }
})();
