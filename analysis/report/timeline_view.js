// Draws a window of the timeline on a canvas. Spans thinner than a pixel are drawn once per pixel, so that a frame's work is
// bounded by the pixels and not by the spans.
class TimelineView {
  constructor(canvas, data) {
    this.canvas = canvas;
    this.data = data;
    this.from = 0;
    this.to = data.end;
    this.row = 0;  // pixels of a device; 0 = as high as fits
    this.scroll = 0;
    this.order = data.devices.map((_, index) => index);
    this.chosen = -1;
    this.axis = 26;
  }

  resize() {
    this.width = this.canvas.clientWidth;
    this.height = Math.max(260, Math.min(640, 26 + this.order.length * 34));
    const ratio = devicePixelRatio || 1;
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.labels = this.width < 600 ? 74 : 118;
    this.context = this.canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paints = this.data.kinds.map((kind) => colour(kind.paint));
    this.inks = this.paints.map((value) => inkOn(value));
  }

  rowHeight() {
    const fit = (this.height - this.axis) / this.order.length;
    return this.row > 0 ? Math.max(this.row, fit) : Math.max(fit, 6);
  }

  x(time) { return this.labels + ((time - this.from) / (this.to - this.from)) * (this.width - this.labels); }
  time(x) { return this.from + ((x - this.labels) / (this.width - this.labels)) * (this.to - this.from); }

  // Puts the window inside the iteration; the closest look is 5 microseconds wide.
  show(from, to) {
    const wide = Math.min(this.data.end, Math.max(5, to - from));
    this.from = Math.max(0, Math.min(from, this.data.end - wide));
    this.to = this.from + wide;
  }

  zoom(factor, around) {
    const pivot = around ?? (this.from + this.to) / 2;
    this.show(pivot - (pivot - this.from) * factor, pivot + (this.to - pivot) * factor);
  }

  scrollTo(pixels) {
    const most = Math.max(0, this.rowHeight() * this.order.length - (this.height - this.axis));
    this.scroll = Math.max(0, Math.min(most, pixels));
  }

  // Lane and its top and height in pixels, for the device in that row.
  laneBox(row, stream) {
    const height = this.rowHeight();
    const gap = height > 14 ? 2 : 0.5;
    const share = stream === 0 ? [0, 0.5] : stream === 1 ? [0.5, 0.25] : [0.75, 0.25];
    const top = this.axis + row * height - this.scroll + gap / 2;
    return [top + share[0] * (height - gap), Math.max(0.8, share[1] * (height - gap) - (height > 14 ? 1 : 0))];
  }

  laneAt(y) {
    const height = this.rowHeight();
    const place = (y - this.axis + this.scroll) / height;
    const row = Math.floor(place);
    if (y < this.axis || row < 0 || row >= this.order.length) return -1;
    const part = place - row;
    return 3 * this.order[row] + (part < 0.5 ? 0 : part < 0.75 ? 1 : 2);
  }

  draw() {
    const paint = this.context;
    paint.clearRect(0, 0, this.width, this.height);
    const height = this.rowHeight();
    const first = Math.max(0, Math.floor(this.scroll / height));
    const last = Math.min(this.order.length - 1, Math.floor((this.scroll + this.height - this.axis) / height));
    this.drawTicks(paint);
    paint.kind = -1;  // of the current fillStyle: setting it is dear
    paint.save();
    paint.beginPath();
    paint.rect(0, this.axis, this.width, this.height);
    paint.clip();
    for (let row = first; row <= last; ++row)
      for (let stream = 0; stream < 3; ++stream) this.drawLane(paint, 3 * this.order[row] + stream, this.laneBox(row, stream));
    this.drawLabels(paint, first, last);
    this.drawChosen(paint);
    paint.restore();
  }

  // Spans of one kind with less than a pixel between them become one rectangle.
  drawLane(paint, lane, [top, high]) {
    const { data } = this;
    const spans = data.lanes[lane];
    const pixel = (this.to - this.from) / (this.width - this.labels);
    const run = { kind: -1, left: 0, right: 0 };
    const flush = () => {
      if (run.kind < 0) return;
      if (paint.kind !== run.kind) paint.fillStyle = this.paints[run.kind];
      paint.kind = run.kind;
      paint.fillRect(run.left, top, Math.max(0.8, run.right - run.left), high);
    };
    let at = data.firstAfter(lane, this.from);
    while (at < spans.length) {
      const span = spans[at];
      const start = data.start(span);
      if (start >= this.to) break;
      const kind = data.kind(span);
      const left = Math.max(this.labels, this.x(start));
      const right = Math.min(this.width, this.x(data.stop(span)));
      const wide = right - left > 3;
      if (kind === run.kind && !wide && left - run.right < 0.8) {
        run.right = Math.max(run.right, right);
      } else {
        flush();
        Object.assign(run, { kind, left, right: wide ? right - 0.6 : right });
        if (wide && high > 11 && right - left > 70) {
          flush();
          run.kind = -1;
          this.writeInside(paint, span, left, top, right - left, high);
        }
      }
      at = right - left < 0.8 ? Math.max(at + 1, data.firstAfter(lane, start + 0.8 * pixel)) : at + 1;
    }
    flush();
  }

  writeInside(paint, span, left, top, wide, high) {
    const kind = this.data.kinds[this.data.kind(span)];
    const micro = this.data.columns.micro[span];
    const text = `${kind.label}${micro >= 0 ? ` ${micro}` : ""}`;
    paint.font = "11px system-ui, sans-serif";
    if (paint.measureText(text).width > wide - 8) return;
    paint.kind = -1;
    paint.fillStyle = this.inks[this.data.kind(span)];
    paint.textBaseline = "middle";
    paint.fillText(text, left + 5, top + high / 2 + 0.5);
  }

  drawLabels(paint, first, last) {
    const height = this.rowHeight();
    paint.font = "11.5px system-ui, sans-serif";
    paint.textBaseline = "middle";
    let free = -100;
    let previous = null;
    for (let row = first; row <= last; ++row) {
      const device = this.data.devices[this.order[row]];
      const top = this.axis + row * height - this.scroll;
      const group = this.groupOf(device);
      if (group !== previous && row > 0 && height < 14) {
        paint.fillStyle = colour("line");
        paint.fillRect(0, top - 0.5, this.width, 1);
      }
      const text = height >= 14 ? device.name : group !== previous ? group : "";
      previous = group;
      if (text === "" || top + 8 < free + 12) continue;
      free = top + 8;
      paint.fillStyle = colour("soft");
      paint.fillText(text, 6, height >= 14 ? top + height / 2 : top + 8, this.labels - 12);
    }
  }

  groupOf(device) { return this.byRank ? `pipeline ${device.replica}` : this.data.regions[device.region]; }

  drawTicks(paint) {
    const rough = ((this.to - this.from) / Math.max(2, (this.width - this.labels) / 110));
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
    paint.font = "11.5px system-ui, sans-serif";
    paint.textBaseline = "middle";
    for (let tick = Math.ceil(this.from / step) * step; tick <= this.to; tick += step) {
      const x = this.x(tick);
      paint.fillStyle = colour("line");
      paint.fillRect(x, this.axis - 6, 1, this.height);
      paint.fillStyle = colour("soft");
      const text = `${Number((tick / second).toPrecision(9))} s`;
      paint.fillText(text, Math.min(x + 4, this.width - paint.measureText(text).width), 11);
    }
  }

  drawChosen(paint) {
    if (this.chosen < 0) return;
    const { data } = this;
    const { device, target } = data.columns;
    const lanes = data.transfers[data.kind(this.chosen)] ? [3 * device[this.chosen] + 1, 3 * target[this.chosen] + 2] : [3 * device[this.chosen]];
    paint.strokeStyle = colour("ink");
    paint.lineWidth = 2;
    for (const lane of lanes) {
      const [top, high] = this.laneBox(this.order.indexOf(Math.floor(lane / 3)), lane % 3);
      const left = Math.max(this.labels, this.x(data.start(this.chosen)));
      const right = this.x(data.stop(this.chosen));
      if (right >= this.labels && left <= this.width) paint.strokeRect(left - 1, top - 1, Math.max(3, right - left + 1), high + 2);
    }
  }
}

