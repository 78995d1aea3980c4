// Draws the results' plots with uPlot from the numbers that stand beside them as tables.
(() => {
  "use strict";

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const scaled = (values) => {
    const most = Math.max(...values, 1);
    return values.map((value) => Math.round((100 * value) / most));
  };
  const short = new Intl.NumberFormat("en-GB", { notation: "compact" });
  const dated = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  const date = (seconds) => dated.format(seconds * 1000);
  const axis = () => ({ stroke: colour("--soft"), grid: { stroke: colour("--line") } });
  const counts = () => ({ ...axis(), values: (_plot, ticks) => ticks.map((tick) => short.format(tick)) });
  const dates = () => ({
    ...axis(),
    incrs: [1, 2, 7, 14, 28].map((days) => days * 86400),
    values: (_plot, ticks) => ticks.map(date),
  });
  const first = (label) => ({ label, stroke: colour("--amber"), fill: colour("--glow"), width: 2 });
  const second = (label) => ({ label, stroke: colour("--info"), width: 2, dash: [6, 4] });

  const days = (box, rows, labels) => {
    const at = rows.map(([day]) => Date.parse(day) / 1000);
    const day = { label: "day", value: (_plot, seconds) => (seconds === null ? "" : date(seconds)) };
    const series = [day, first(labels[0]), { ...second(labels[1]), scale: "other" }];
    const axes = [dates(), counts(), { ...counts(), side: 1, scale: "other", grid: { show: false } }];
    const options = { width: box.clientWidth, height: 220, series, axes, tzDate: (s) => uPlot.tzDate(new Date(s * 1000), "UTC") };
    return new uPlot(options, [at, rows.map((row) => row[1]), rows.map((row) => row[2])], box);
  };

  const hours = (box, curves, labels) => {
    const every = [...Array(24).keys()];
    const values = (curve) => (curve.length ? scaled(curve) : every.map(() => null));
    const series = [{ label: "hour" }, { ...first(labels[0]), fill: undefined }, second(labels[1])];
    const options = { width: box.clientWidth, height: 200, series, axes: [axis(), axis()], scales: { x: { time: false } } };
    return new uPlot(options, [every, ...curves.map(values)], box);
  };

  for (const box of document.querySelectorAll("[data-plot]")) {
    const { plot, series, labels } = box.dataset;
    const drawn = { days, hours }[plot](box, JSON.parse(series), JSON.parse(labels));
    addEventListener("resize", () => drawn.setSize({ width: box.clientWidth, height: drawn.height }));
  }
})();
