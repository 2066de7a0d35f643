// A Chart of analysis/chart.hpp as an option of ECharts. Text of the user's goes through `plain` wherever ECharts takes HTML.
const dashes = ["solid", "dashed", "dotted"];
const symbols = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle"];

function plain(text) {
  return echarts.format.encodeHTML(String(text));
}

function axisStyle() {
  return {
    axisLabel: { color: colour("soft"), hideOverlap: true },
    axisLine: { lineStyle: { color: colour("coast") } },
    axisTick: { lineStyle: { color: colour("coast") } },
    splitLine: { lineStyle: { color: colour("line") } },
    nameTextStyle: { color: colour("soft"), fontSize: 12 },
  };
}

function valueAxis(axis) {
  return {
    ...axisStyle(),
    type: axis.log ? "log" : "value",
    name: axis.label,
    axisLabel: { color: colour("soft"), hideOverlap: true, formatter: (value) => brief(value, 4) },
    minorSplitLine: { show: false },
  };
}

function baseOption() {
  return {
    animation: false,
    color: palette(),
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: colour("ink") },
    aria: { enabled: true },
    tooltip: {
      confine: true,
      backgroundColor: colour("ink"),
      borderWidth: 0,
      textStyle: { color: colour("page"), fontSize: 13 },
    },
    legend: { top: 0, left: 0, icon: "roundRect", itemWidth: 12, itemHeight: 12, itemGap: 16, textStyle: { color: colour("soft") } },
  };
}

// Rows that a legend of these names takes at this width, in pixels.
function legendHeight(names, width) {
  if (names.length < 2) return 8;
  let rows = 1;
  let used = 0;
  for (const name of names) {
    const size = 36 + 7 * name.length;
    if (used > 0 && used + size > width) {
      ++rows;
      used = 0;
    }
    used += size;
  }
  return 14 + 24 * rows;
}

// A whisker from low to high at each bar.
function whiskers(series) {
  return {
    type: "custom",
    silent: true,
    z: 5,
    data: series.y.map((_, index) => [series.low[index], series.high[index], index]),
    encode: { x: [0, 1], y: 2 },
    renderItem(_, api) {
      const from = api.coord([api.value(0), api.value(2)]);
      const to = api.coord([api.value(1), api.value(2)]);
      return {
        type: "line",
        shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
        style: { stroke: colour("ink"), lineWidth: 2 },
      };
    },
  };
}

function barOption(chart, width) {
  const option = baseOption();
  const totals = chart.categories.map((_, index) => chart.series.reduce((sum, one) => sum + (one.y[index] ?? 0), 0));
  const top = legendHeight(chart.series.map((one) => one.name), width);
  const series = chart.series.map((one) => ({
    name: one.name,
    type: "bar",
    stack: "whole",
    barMaxWidth: 26,
    data: one.y,
    itemStyle: { borderColor: colour("page"), borderWidth: chart.series.length > 1 ? 0.5 : 0 },
  }));
  series[series.length - 1].label = {
    show: true,
    position: "right",
    color: colour("ink"),
    formatter: (item) => brief(totals[item.dataIndex], 4),
  };
  if (chart.series.length === 1 && chart.series[0].low.length > 0) series.push(whiskers(chart.series[0]));
  const least = Math.max(0, width < 500 ? 92 : 40);
  return {
    ...option,
    legend: { ...option.legend, show: chart.series.length > 1 },
    grid: { left: 4, right: 56, top, bottom: 30, containLabel: true },
    tooltip: {
      ...option.tooltip,
      trigger: "axis",
      axisPointer: { type: "shadow" },
      formatter(items) {
        const shown = items.filter((item) => item.seriesType === "bar");
        const lines = shown.map((item) => `${item.marker} ${plain(item.seriesName)}: <b>${brief(item.value, 4)}</b>`);
        return [`<b>${plain(shown[0].name)}</b>`, ...lines].join("<br>");
      },
    },
    xAxis: { ...valueAxis({ ...chart.y, log: false }), nameLocation: "middle", nameGap: 28 },
    yAxis: {
      ...axisStyle(),
      type: "category",
      inverse: true,
      data: chart.categories,
      axisLabel: { color: colour("ink"), width: Math.max(least, width * 0.32), overflow: "truncate" },
      axisTick: { show: false },
      splitLine: { show: false },
    },
    series,
    height: undefined,
  };
}

// The area from low to high; a polygon, because stacked areas go wrong on logarithmic axes.
function band(series, index) {
  const rows = series.x.map((x, at) => [x, series.low[at], series.high[at]]).filter((row) => row[1] !== null);
  return {
    type: "custom",
    name: series.name,
    silent: true,
    z: 1,
    data: rows,
    encode: { x: 0, y: [1, 2] },
    renderItem(parameters, api) {
      if (parameters.dataIndex !== 0) return undefined;
      const low = rows.map((row) => api.coord([row[0], row[1]]));
      const high = rows.map((row) => api.coord([row[0], row[2]])).reverse();
      return {
        type: "polygon",
        shape: { points: [...low, ...high] },
        style: { fill: palette()[index % 7], opacity: 0.18 },
      };
    },
  };
}

function plotOption(chart, width) {
  const option = baseOption();
  const top = legendHeight(chart.series.map((one) => one.name), width) + 26;
  return {
    ...option,
    legend: { ...option.legend, show: chart.series.length > 1, data: chart.series.map((one) => one.name) },
    grid: { left: 4, right: 28, top, bottom: 34, containLabel: true },
    xAxis: { ...valueAxis(chart.x), nameLocation: "middle", nameGap: 30, scale: true },
    yAxis: { ...valueAxis(chart.y), name: "", scale: chart.kind === "points" },
    title: { text: chart.y.label, left: 0, top: top - 24, padding: 0, textStyle: { color: colour("soft"), fontSize: 12, fontWeight: "normal" } },
  };
}

function lineOption(chart, width) {
  const option = plotOption(chart, width);
  const lines = chart.series.map((one, index) => ({
    name: one.name,
    type: "line",
    z: 3,
    data: one.x.map((x, at) => [x, one.y[at]]),
    symbol: symbols[index % symbols.length],
    symbolSize: 7,
    lineStyle: { width: 2.5, type: dashes[Math.floor(index / 7) % 3] },
    itemStyle: { color: palette()[index % 7] },
  }));
  const bands = chart.series.flatMap((one, index) => (one.low.length > 0 ? [band(one, index)] : []));
  return {
    ...option,
    tooltip: {
      ...option.tooltip,
      trigger: "axis",
      formatter(items) {
        const shown = items.filter((item) => item.seriesType === "line");
        const lines = shown.map((item) => `${item.marker} ${plain(item.seriesName)}: <b>${brief(item.value[1], 4)}</b>`);
        return [`${plain(chart.x.label)} ${brief(shown[0].value[0], 4)}`, ...lines].join("<br>");
      },
    },
    series: [...bands, ...lines],
  };
}

// Points in one place share one label.
function pointsOf(series) {
  const places = new Map();
  series.x.forEach((x, at) => {
    const key = `${x} ${series.y[at]}`;
    const place = places.get(key) ?? { value: [x, series.y[at]], names: [] };
    if (series.labels[at] !== undefined) place.names.push(series.labels[at]);
    places.set(key, place);
  });
  return [...places.values()].map((place) => ({ value: place.value, name: place.names.join(", ") }));
}

function pointOption(chart, width) {
  const option = plotOption(chart, width);
  return {
    ...option,
    tooltip: {
      ...option.tooltip,
      trigger: "item",
      formatter: (item) =>
        `<b>${plain(item.name)}</b><br>${plain(chart.x.label)}: ${brief(item.value[0], 4)}<br>${plain(chart.y.label)}: ${brief(item.value[1], 4)}`,
    },
    series: chart.series.map((one) => ({
      name: one.name,
      type: "scatter",
      symbolSize: 13,
      data: pointsOf(one),
      label: { show: true, position: "right", color: colour("ink"), formatter: (item) => item.name },
      labelLayout: (item) => ({ moveOverlap: "shiftY", ...(item.labelRect.x + item.labelRect.width > width - 24 ? { x: item.rect.x - 4, align: "right" } : {}) }),
    })),
  };
}

function chartOption(chart, width) {
  if (chart.kind === "stacked_bars") return barOption(chart, width);
  return chart.kind === "points" ? pointOption(chart, width) : lineOption(chart, width);
}

function chartHeight(chart, width) {
  const legend = legendHeight(chart.series.map((one) => one.name), width);
  if (chart.kind === "stacked_bars") return legend + 62 + Math.max(54, chart.categories.length * (chart.categories.length > 16 ? 22 : 38));
  return legend + Math.min(440, Math.max(300, width * 0.45));
}

// Draws into the element, again when its width or the colours change.
function drawChart(element, chart) {
  if (chart.series.length === 0) return;
  let instance = null;
  let drawn = 0;
  const draw = () => {
    drawn = element.clientWidth;
    if (drawn === 0) return;  // folded away: drawn when it is opened
    element.style.height = `${chartHeight(chart, drawn)}px`;
    instance?.dispose();
    instance = echarts.init(element, null, { renderer: "svg" });
    instance.setOption(chartOption(chart, drawn));
    element.setAttribute("aria-label", chart.summary);
  };
  draw();
  new ResizeObserver(() => {
    if (element.clientWidth !== drawn && element.clientWidth > 0) draw();
  }).observe(element);
  onThemeChange(draw);
}

