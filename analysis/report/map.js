// Regions and the links between them, on the earth or on a circle. Data: places, links (one per directed pair).
const svgSpace = "http://www.w3.org/2000/svg";

function svgElement(name, attributes, parent) {
  const element = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

// Longitude and latitude to pixels: equirectangular, undistorted at the middle of the places.
function earthLayout(places, width) {
  const span = (values, margin) => [Math.min(...values) - margin, Math.max(...values) + margin];
  const [west, east] = span(places.map((place) => place.longitude), 14);
  const [south, north] = span(places.map((place) => place.latitude), 10);
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const height = width * (width < 600 ? 0.62 : 0.43);
  const pixels = Math.min(width / ((east - west) * squeeze), height / (north - south));
  const shown = height / pixels / 2;
  const middle = Math.max(-60 + shown, Math.min(84 - shown, (south + north) / 2));
  const x = (longitude) => width / 2 + (longitude - (west + east) / 2) * squeeze * pixels;
  const y = (latitude) => height / 2 - (latitude - middle) * pixels;
  return { height, turn: 360 * squeeze * pixels, x, y, at: places.map((place) => [x(place.longitude), y(place.latitude)]) };
}

function circleLayout(places, width) {
  const height = Math.min(560, width * 0.9);
  const radius = height / 2 - 44;
  const at = places.map((_, index) => {
    const angle = (index / places.length) * 2 * Math.PI - Math.PI / 2;
    return [width / 2 + Math.min(radius * 1.5, width / 2 - 90) * Math.cos(angle), height / 2 + radius * Math.sin(angle)];
  });
  return { height, turn: 0, at };
}

// A curve that leaves room for the opposite direction on its other side; over the edge of the map where that is shorter.
function curvesOf(layout, link) {
  const [ax, ay] = layout.at[link.from];
  const [bx, by] = layout.at[link.to];
  const wraps = layout.turn > 0 && Math.abs(bx - ax) > layout.turn / 2 ? Math.sign(bx - ax) * layout.turn : 0;
  const shifts = wraps === 0 ? [[0, 0]] : [[0, -wraps], [wraps, 0]];
  return shifts.map(([shiftA, shiftB]) => {
    const from = [ax + shiftA, ay];
    const to = [bx + shiftB, by];
    const bend = 0.2;
    const control = [(from[0] + to[0]) / 2 + (to[1] - from[1]) * bend, (from[1] + to[1]) / 2 - (to[0] - from[0]) * bend];
    return { from, control, to };
  });
}

function pathOf(curves) {
  const two = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return curves.map((curve) => `M${two(curve.from)}Q${two(curve.control)} ${two(curve.to)}`).join("");
}

// A small triangle on the curve, past its middle, that points along it.
function arrowOf(curve, size) {
  const t = 0.58;
  const mix = (a, b, c) => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t ** 2 * c;
  const x = mix(curve.from[0], curve.control[0], curve.to[0]);
  const y = mix(curve.from[1], curve.control[1], curve.to[1]);
  const dx = 2 * (1 - t) * (curve.control[0] - curve.from[0]) + 2 * t * (curve.to[0] - curve.control[0]);
  const dy = 2 * (1 - t) * (curve.control[1] - curve.from[1]) + 2 * t * (curve.to[1] - curve.control[1]);
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  return { d: `M${-size} ${-size}L${size} 0L${-size} ${size}Z`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle.toFixed(0)})` };
}

// Labels beside their cities, each on the first side where it covers neither a city nor another label.
function placeLabels(places, layout, width, size) {
  const taken = layout.at.map(([x, y]) => [x - 6, y - 6, x + 6, y + 6]);
  return places.map((place, index) => {
    const [x, y] = layout.at[index];
    const long = place.label.length * size * 0.64;
    const sides = [[9, 4, "start"], [-9, 4, "end"], [0, -11, "middle"], [0, 20, "middle"], [9, -9, "start"], [-9, -9, "end"], [9, 18, "start"], [-9, 18, "end"], [0, -26, "middle"], [0, 34, "middle"]];
    const boxOf = ([dx, dy, anchor]) => {
      const left = x + dx - (anchor === "end" ? long : anchor === "middle" ? long / 2 : 0);
      return [left, y + dy - size, left + long, y + dy + 3];
    };
    const clash = (box) => box[0] < 2 || box[2] > width - 2 || taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
    const side = sides.find((one) => !clash(boxOf(one))) ?? sides[0];
    taken.push(boxOf(side));
    return { x: x + side[0], y: y + side[1], anchor: side[2] };
  });
}

function describeLink(map, link) {
  const name = `${map.places[link.from].label} → ${map.places[link.to].label}`;
  const path = `${brief(link.bandwidth * 8e-9)} Gbps, ${brief(link.latency * 1e3)} ms`;
  if (link.bytes === 0) return `${name} (${path}): unused`;
  return `${name} (${path}): ${bytesText(link.bytes)} from ${link.senders} sender${link.senders === 1 ? "" : "s"}, ${brief(100 * link.utilisation)} % of its capacity, busy for ${brief(link.busy, 4)} s`;
}

class LinkMap {
  constructor(root, map, coastlines) {
    this.map = map;
    this.links = map.links.filter((link) => link.from !== link.to);
    if (this.links.length > 600) this.links = this.links.filter((link) => link.bytes > 0);
    this.links.sort((a, b) => a.utilisation - b.utilisation);
    this.most = Math.max(1e-9, ...this.links.map((link) => link.utilisation));
    this.rings = coastlines === null ? [] : ringsOfLand(coastlines);
    this.stage = root.querySelector(".stage");
    this.line = root.querySelector(".note-line");
    this.layoutName = map.located ? "earth" : "circle";
    this.chosen = -1;
    this.hint = this.line.textContent;
    for (const button of root.querySelectorAll("button[data-layout]"))
      button.addEventListener("click", () => {
        this.layoutName = button.dataset.layout;
        for (const other of root.querySelectorAll("button[data-layout]")) other.setAttribute("aria-pressed", String(other === button));
        this.draw();
      });
    this.draw();
    new ResizeObserver(() => {
      if (this.stage.clientWidth !== this.width) this.draw();
    }).observe(this.stage);
  }

  draw() {
    this.width = Math.max(280, this.stage.clientWidth);
    const earth = this.layoutName === "earth";
    const layout = earth ? earthLayout(this.map.places, this.width) : circleLayout(this.map.places, this.width);
    const svg = svgElement("svg", { viewBox: `0 0 ${this.width} ${layout.height.toFixed(0)}`, role: "application", tabindex: "0", "aria-roledescription": "map of links", "aria-label": this.map.summary });
    if (earth) this.drawLand(svg, layout);
    this.layer = svgElement("g", {}, svg);
    this.paths = this.links.map((link) => this.drawLink(layout, link));
    this.links.forEach((link, index) => this.drawTarget(svg, layout, link, index));
    this.drawCities(svg, layout);
    svg.addEventListener("keydown", (event) => this.onKey(event));
    svg.addEventListener("mouseleave", () => this.choose(-1));
    svg.addEventListener("blur", () => this.choose(-1));
    this.stage.replaceChildren(svg);
  }

  drawLand(svg, layout) {
    const d = this.rings.map((ring) => `M${ring.map(([x, y]) => `${layout.x(x).toFixed(1)} ${layout.y(y).toFixed(1)}`).join("L")}Z`).join("");
    for (const turn of [-layout.turn, 0, layout.turn]) svgElement("path", { class: "land", d, transform: `translate(${turn.toFixed(1)} 0)`, "fill-rule": "evenodd" }, svg);
  }

  drawLink(layout, link) {
    const share = link.utilisation / this.most;
    const paint = `color-mix(in oklab, var(--busy) ${(100 * share).toFixed(0)}%, var(--coast))`;
    const used = link.bytes > 0;
    const group = svgElement("g", { class: "tie" }, this.layer);
    const curves = curvesOf(layout, link);
    const width = used ? 1.2 + 3.6 * share : 0.8;
    svgElement("path", { class: used ? "link" : "link unused", d: pathOf(curves), style: `stroke:${paint};stroke-width:${width.toFixed(1)}` }, group);
    if (used) for (const curve of curves) svgElement("path", { ...arrowOf(curve, 2.5 + 2.5 * share), style: `fill:${paint}` }, group);
    return group;
  }

  drawTarget(svg, layout, link, index) {
    if (link.bytes === 0) return;
    const target = svgElement("path", { class: "hit", d: pathOf(curvesOf(layout, link)) }, svg);
    target.addEventListener("mouseenter", () => this.choose(index));
    target.addEventListener("click", () => this.choose(index));
  }

  drawCities(svg, layout) {
    const size = this.width < 600 ? 11 : 13.5;
    const labels = placeLabels(this.map.places, layout, this.width, size);
    this.map.places.forEach((place, index) => {
      const [x, y] = layout.at[index];
      const city = svgElement("circle", { class: "city", cx: x.toFixed(1), cy: y.toFixed(1), r: 5 }, svg);
      svgElement("title", {}, city).textContent = `${place.label}: ${place.devices} devices`;
      const label = labels[index];
      svgElement("text", { x: label.x.toFixed(1), y: label.y.toFixed(1), "text-anchor": label.anchor, "font-size": size }, svg).textContent = place.label;
    });
  }

  choose(index) {
    this.chosen = index;
    this.layer.classList.toggle("faded", index >= 0);
    this.paths.forEach((path, at) => path.classList.toggle("chosen", at === index));
    this.line.textContent = index < 0 ? this.hint : describeLink(this.map, this.links[index]);
  }

  // From the most used link downwards.
  onKey(event) {
    const step = { ArrowRight: -1, ArrowDown: -1, ArrowLeft: 1, ArrowUp: 1 }[event.key];
    if (event.key === "Escape") this.choose(-1);
    if (step === undefined || this.links.length === 0) return;
    event.preventDefault();
    const count = this.links.length;
    this.choose(this.chosen < 0 ? count - 1 : (this.chosen + step + count) % count);
  }
}

