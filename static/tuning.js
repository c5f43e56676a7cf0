// The threshold workbench. Every point of the curve came with the page, its words too, so moving the slider asks
// nobody; only the list of answers is fetched, once the slider rests.
const { one, all } = dom;
const block = one("#curve");
const REST = 150; // milliseconds
const AXIS = 46; // pixels beside the plot, on either side

function begin(curve) {
  const slider = one("#slide"),
    box = one("#value"),
    last = curve.x.length - 1;
  let at = curve.chosen,
    waiting = 0,
    chart = null;

  function show(index, typed = false) {
    const to = Math.max(0, Math.min(last, index));
    if (to === at) return;
    at = to;
    for (const [name, texts] of Object.entries(curve.texts)) {
      for (const slot of all(`[data-slot="${name}"]`)) {
        slot.textContent = texts[at];
        (slot.closest("[data-row]") ?? slot).hidden = !texts[at];
      }
    }
    if (slider) {
      slider.value = at;
      slider.setAttribute("aria-valuetext", curve.shown[at]);
    }
    if (box && !typed) box.value = curve.sent[at];
    all("input[data-value]").forEach((field) => {
      field.value = curve.sent[at];
    });
    all("#points tr").forEach((row, place) => {
      if (place === at) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
    one("#card").dataset.gate = curve.gate[at];
    chart?.redraw(false, false);
    clearTimeout(waiting);
    waiting = setTimeout(rested, REST);
  }

  function rested() {
    const here = new URL(location.href),
      list = one("#changes");
    here.searchParams.set("threshold", curve.threshold);
    here.searchParams.set("value", curve.sent[at]);
    history.replaceState(history.state, "", here);
    if (!list) return;
    const asked = htmx.ajax("GET", list.dataset.from + here.search, { source: list, target: list, swap: "innerHTML" });
    asked.catch(() => {}); // its events tell the page of a request that failed, or that was given up on leaving
  }

  const nearest = (value) =>
    curve.x.reduce((best, x, place) => (Math.abs(x - value) < Math.abs(curve.x[best] - value) ? place : best), 0);

  slider?.addEventListener("input", () => show(Number(slider.value)));
  slider?.addEventListener("keydown", (event) => {
    const by = { PageUp: 10, PageDown: -10, ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(at + by);
  });
  box?.addEventListener("input", () => {
    const place = curve.sent.indexOf(box.value);
    if (place >= 0) show(place, true);
    else if (curve.numeric && box.value !== "" && box.checkValidity()) show(nearest(Number(box.value)), true);
  });
  chart = drawn(curve, () => at, show);
}

// --- the chart -----------------------------------------------------------------------------------------
const SHARES = [
  ["precision", []],
  ["recall", [7, 4]],
];
const colour = (name) => getComputedStyle(one(`.legend .${name}`)).color;
const faint = (rgb, alpha) => rgb.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`);

function drawn(curve, at, show) {
  const place = one("#chart");
  if (!place || !window.uPlot) return null;
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const per = (value) => (value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1));
  const ink =
    (name, alpha = 1) =>
    () =>
      faint(colour(name), alpha);
  const axis = (more) => ({
    stroke: ink("dim"),
    font,
    grid: { stroke: ink("rule"), width: 1 },
    ticks: { show: false },
    size: AXIS,
    ...more,
  });
  const edge = { show: true, stroke: "transparent", width: 0, points: { show: false }, scale: "share" };
  const shares = SHARES.flatMap(([name, dash]) => [
    {
      scale: "share",
      stroke: ink(name),
      width: 2,
      dash,
      points: { show: curve.x.length < 8, size: 7, stroke: ink(name), fill: ink(name) },
    },
    edge,
    edge,
  ]);
  const top = Math.max(curve.capacity ?? 0, ...curve.load.map((load) => load ?? 0), 1) * 1.08;
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: place.clientHeight,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false }, share: { range: [0, 1] }, load: { range: [0, top] } },
      axes: [
        axis({
          size: 30,
          grid: { show: false },
          values: (_chart, ticks) =>
            ticks.map((tick) => (curve.numeric ? +tick.toFixed(4) : (curve.shown[tick] ?? ""))),
        }),
        axis({ scale: "share", values: (_chart, ticks) => ticks.map((tick) => tick.toFixed(1)) }),
        axis({ scale: "load", side: 1, grid: { show: false }, values: (_chart, ticks) => ticks.map(per) }),
      ],
      series: [{}, ...shares, { scale: "load", stroke: ink("load"), width: 2, dash: [2, 4], points: { show: false } }],
      bands: [0, 1].map((n) => ({ series: [3 + 3 * n, 2 + 3 * n], fill: ink(SHARES[n][0], 0.14) })),
      hooks: { drawClear: [(chart) => zone(chart, curve)], draw: [(chart) => marks(chart, curve, at())] },
    },
    [curve.x, ...SHARES.flatMap(([name]) => [curve[name], curve[`${name}_low`], curve[`${name}_high`]]), curve.load],
    place,
  );
  chart.over.addEventListener("click", () => {
    if (chart.cursor.idx != null) show(chart.cursor.idx);
  });
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: place.clientHeight })).observe(place);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw());
  return chart;
}

// The thresholds whose cost is within 5 % of the least.
function zone(chart, curve) {
  if (!curve.flat) return;
  const { ctx, bbox } = chart,
    [from, to] = curve.flat.map((place) => chart.valToPos(curve.x[place], "x", true));
  ctx.fillStyle = faint(colour("flat"), 0.13);
  ctx.fillRect(from - 1, bbox.top, Math.max(2, to - from + 2), bbox.height);
}

function marks(chart, curve, at) {
  const { ctx, bbox } = chart,
    ratio = devicePixelRatio;
  const line = (name, width, dash, from, to) => {
    ctx.save();
    ctx.beginPath();
    ctx.strokeStyle = colour(name);
    ctx.lineWidth = width * ratio;
    ctx.setLineDash(dash.map((part) => part * ratio));
    ctx.moveTo(...from);
    ctx.lineTo(...to);
    ctx.stroke();
    ctx.restore();
  };
  const upright = (name, place, width, dash) => {
    if (place == null) return;
    const x = Math.round(chart.valToPos(curve.x[place], "x", true));
    line(name, width, dash, [x, bbox.top], [x, bbox.top + bbox.height]);
  };
  if (curve.capacity != null) {
    const y = chart.valToPos(curve.capacity, "load", true);
    line("capacity", 1, [1, 3], [bbox.left, y], [bbox.left + bbox.width, y]);
  }
  upright("active", curve.active, 1.5, []);
  upright("draft", curve.draft, 1.5, [5, 4]);
  upright("chosen", at, 2.5, []);
  if (curve.optimum != null) {
    const x = chart.valToPos(curve.x[curve.optimum], "x", true),
      y = bbox.top + bbox.height,
      size = 7 * ratio;
    ctx.fillStyle = colour("flat");
    ctx.beginPath();
    ctx.moveTo(x - size, y);
    ctx.lineTo(x + size, y);
    ctx.lineTo(x, y - 1.6 * size);
    ctx.fill();
  }
}

if (block) begin(JSON.parse(block.textContent));
