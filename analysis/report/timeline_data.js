// The spans of a run, by lane. Columns come as differences from span to span. A device has three lanes: compute, send, receive; a transfer lies in two of them.
const laneNames = ["compute", "send", "receive"];
const second = 1e6;  // times are whole microseconds

class TimelineData {
  constructor(json) {
    this.devices = json.devices;
    this.regions = json.regions;
    this.kinds = json.kinds;
    this.end = json.end;
    this.sizes = json.sizes;
    this.columns = json.columns;
    for (const column of Object.values(this.columns)) for (let span = 1; span < column.length; ++span) column[span] += column[span - 1];
    this.count = json.columns.start.length;
    this.transfers = json.kinds.map((kind) => kind.transfer);
    this.lanes = this.devices.flatMap(() => laneNames.map(() => []));
    for (let span = 0; span < this.count; ++span) {
      const { kind, device, target } = this.columns;
      if (this.transfers[kind[span]]) {
        this.lanes[3 * device[span] + 1].push(span);
        this.lanes[3 * target[span] + 2].push(span);
      } else {
        this.lanes[3 * device[span]].push(span);
      }
    }
    for (const lane of this.lanes) lane.sort((a, b) => this.start(a) - this.start(b));
  }

  start(span) { return this.columns.start[span]; }
  stop(span) { return this.columns.start[span] + this.columns.length[span]; }
  kind(span) { return this.columns.kind[span]; }
  number(span) { return this.columns.tasklet[span]; }

  // Position in the lane of the first span that ends after `time`. Spans of a lane do not overlap.
  firstAfter(lane, time) {
    const spans = this.lanes[lane];
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.stop(spans[middle]) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The span of a lane at or nearest to `time`, within `slack`; -1 = none.
  find(lane, time, slack) {
    const spans = this.lanes[lane];
    const at = this.firstAfter(lane, time);
    let best = -1;
    let distance = slack;
    for (const position of [at - 1, at]) {
      if (position < 0 || position >= spans.length) continue;
      const span = spans[position];
      const away = Math.max(0, this.start(span) - time, time - this.stop(span));
      if (away <= distance) {
        best = span;
        distance = away;
      }
    }
    return best;
  }

  describe(span) {
    const { device, target, micro, size, flight } = this.columns;
    const from = this.devices[device[span]];
    const lines = [`${this.kinds[this.kind(span)].label}${micro[span] >= 0 ? `, micro-batch ${micro[span]}` : ""}`];
    if (this.transfers[this.kind(span)]) {
      lines.push(`${from.name} → ${this.devices[target[span]].name}`);
      lines.push(bytesText(this.sizes[size[span]]));
    } else {
      lines.push(`${from.name}, rank ${from.rank}`);
    }
    lines.push(`${secondsText(this.start(span) / second)} + ${secondsText(this.columns.length[span] / second)}`);
    if (flight[span] > 0) lines.push(`arrives ${secondsText(flight[span] / second)} later`);
    lines.push(`tasklet ${this.number(span)}`);
    return lines;
  }
}

