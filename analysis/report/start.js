// Brings the page to life: every figure is there already, with its summary and its table; drawings are added.
function jsonOf(id) {
  const text = document.getElementById(id).textContent;
  return text === "" ? null : JSON.parse(text);
}

const report = jsonOf("report-data");
for (const chart of report.charts) {
  const element = document.querySelector(`[data-chart="${chart.id}"]`);
  if (element !== null) drawChart(element, chart);
}
const mapRoot = document.querySelector(".map");
if (mapRoot !== null) new LinkMap(mapRoot, report.map, jsonOf("coastlines"));
const timelineRoot = document.querySelector(".timeline");
if (timelineRoot !== null) new TimelineControl(timelineRoot, new TimelineData(report.timeline));
document.body.dataset.loaded = String(Math.round(performance.now()));
document.body.dataset.ready = "true";
