// Mouse, touch and keys on the timeline, its tooltip, and what is read aloud.
class TimelineControl {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.canvas = root.querySelector("canvas");
    this.tip = root.querySelector(".tip");
    this.line = root.querySelector(".note-line");
    this.view = new TimelineView(this.canvas, data);
    this.view.resize();
    this.redraw();
    new ResizeObserver(() => {
      if (this.canvas.clientWidth === this.view.width) return;
      this.view.resize();
      this.redraw();
    }).observe(this.canvas);
    onThemeChange(() => {
      this.view.resize();
      this.redraw();
    });
    this.listen();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.view.draw();
    });
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("keydown", (event) => this.onKey(event));
    canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.drag = { x: event.offsetX, y: event.offsetY, from: this.view.from, to: this.view.to, scroll: this.view.scroll };
    });
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerup", (event) => {
      if (this.drag && Math.abs(event.offsetX - this.drag.x) + Math.abs(event.offsetY - this.drag.y) < 4) this.choose(this.spanAt(event));
      this.drag = null;
    });
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("dblclick", (event) => this.zoomTo(this.spanAt(event)));
    for (const button of this.root.querySelectorAll("button[data-do]"))
      button.addEventListener("click", () => this.act(button.dataset.do));
    this.root.querySelector("select").addEventListener("change", (event) => this.sortBy(event.target.value));
  }

  spanAt(event) {
    const lane = this.view.laneAt(event.offsetY);
    if (lane < 0 || event.offsetX < this.view.labels) return -1;
    const slack = ((this.view.to - this.view.from) / this.view.width) * 3;
    return this.data.find(lane, this.view.time(event.offsetX), slack);
  }

  onMove(event) {
    if (this.drag) {
      const wide = this.drag.to - this.drag.from;
      const moved = ((this.drag.x - event.offsetX) / (this.view.width - this.view.labels)) * wide;
      this.view.show(this.drag.from + moved, this.drag.to + moved);
      this.view.scrollTo(this.drag.scroll + this.drag.y - event.offsetY);
      this.tip.hidden = true;
      this.redraw();
      return;
    }
    const span = this.spanAt(event);
    this.tip.hidden = span < 0;
    if (span < 0) return;
    this.tip.textContent = this.data.describe(span).join("\n");
    const left = Math.min(event.offsetX + 14, this.view.width - this.tip.offsetWidth - 4);
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${this.canvas.offsetTop + event.offsetY + 18}px`;
  }

  // The wheel scrolls the page unless the timeline has the focus, or Ctrl is held.
  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    if (event.shiftKey) this.view.scrollTo(this.view.scroll + event.deltaY);
    else this.view.zoom(1.0018 ** event.deltaY, this.view.time(event.offsetX));
    this.redraw();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = {
      ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", "+": "in", "=": "in", "-": "out", _: "out",
      0: "all", Home: "all", n: "next", p: "previous", Enter: "closer", Escape: "none", h: "higher", l: "lower",
    }[event.key];
    if (action === undefined) return;
    event.preventDefault();
    this.act(action);
  }

  act(action) {
    const { view } = this;
    const wide = view.to - view.from;
    const middle = this.view.chosen >= 0 ? (this.data.start(view.chosen) + this.data.stop(view.chosen)) / 2 : undefined;
    if (action === "left") view.show(view.from - 0.15 * wide, view.to - 0.15 * wide);
    if (action === "right") view.show(view.from + 0.15 * wide, view.to + 0.15 * wide);
    if (action === "up") view.scrollTo(view.scroll - 40);
    if (action === "down") view.scrollTo(view.scroll + 40);
    if (action === "in") view.zoom(0.6, middle);
    if (action === "out") view.zoom(1 / 0.6, middle);
    if (action === "all") {
      view.show(0, this.data.end);
      view.row = 0;
      view.scrollTo(0);
    }
    if (action === "higher" || action === "lower") {
      view.row = Math.min(120, view.rowHeight() * (action === "higher" ? 1.5 : 1 / 1.5));
      view.scrollTo(view.scroll);
    }
    if (action === "next") this.step(1);
    if (action === "previous") this.step(-1);
    if (action === "closer") this.zoomTo(view.chosen);
    if (action === "none") this.choose(-1);
    this.redraw();
  }

  // To the neighbour of the chosen span in its lane; without one to the first span in sight.
  step(by) {
    const { view, data } = this;
    const chosen = view.chosen;
    const lane = chosen < 0 ? 3 * view.order[0] : 3 * data.columns.device[chosen] + (data.transfers[data.kind(chosen)] ? 1 : 0);
    const spans = data.lanes[lane];
    const at = chosen < 0 ? data.firstAfter(lane, view.from) : spans.indexOf(chosen) + by;
    if (at < 0 || at >= spans.length) return;
    this.choose(spans[at]);
    const wide = view.to - view.from;
    if (data.start(spans[at]) < view.from || data.stop(spans[at]) > view.to) view.show(data.start(spans[at]) - wide / 3, data.start(spans[at]) + (2 * wide) / 3);
  }

  choose(span) {
    this.view.chosen = span;
    this.line.textContent = span < 0 ? "" : this.data.describe(span).join(" · ");
    this.redraw();
  }

  zoomTo(span) {
    if (span < 0) return;
    const start = this.data.start(span);
    const length = Math.max(5, this.data.stop(span) - start);
    this.choose(span);
    this.view.show(start - length, start + 2 * length);
    this.redraw();
  }

  sortBy(what) {
    const { devices } = this.data;
    this.view.byRank = what === "rank";
    this.view.order = devices.map((_, index) => index);
    if (this.view.byRank) this.view.order.sort((a, b) => devices[a].rank - devices[b].rank);
    this.redraw();
  }
}

