// Colours come from the style sheet, so that dark and light are decided in one place.
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function palette() {
  return [1, 2, 3, 4, 5, 6, 7].map((number) => colour(`series-${number}`));
}

// Black or white, whichever reads better on the colour "#rrggbb" (relative luminance of WCAG 2).
function inkOn(background) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(background.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#10151b" : "#ffffff";
}

// Calls `action` whenever dark turns to light or back.
function onThemeChange(action) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", action);
}

// A number in a few digits: 43.1, 0.549, 1 020.
function brief(value, digits = 3) {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(digits - 1);
  if (size >= 10 ** digits) return String(Math.round(value));
  return String(Number(value.toPrecision(digits)));
}

function bytesText(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  while (bytes >= 1000 && unit + 1 < units.length) {
    bytes /= 1000;
    ++unit;
  }
  return `${brief(bytes)} ${units[unit]}`;
}

// Seconds in the unit that suits them.
function secondsText(seconds) {
  const size = Math.abs(seconds);
  if (size >= 1 || size === 0) return `${Number(seconds.toPrecision(6))} s`;
  if (size >= 1e-3) return `${Number((seconds * 1e3).toPrecision(6))} ms`;
  return `${Number((seconds * 1e6).toPrecision(6))} µs`;
}

