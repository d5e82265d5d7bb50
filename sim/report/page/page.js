"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
  const make = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {}))
      if (key === "class") element.className = value;
      else if (key.startsWith("on")) element[key] = value;
      else element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const color = (label) => data.labels[label][dark.matches ? "dark" : "light"];
  const dash = (label) => dashes[data.labels[label].dash];
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (value, digits) =>
    value == null ? "" : Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(2) : value.toFixed(digits);

  /* ---- tables ---- */
  const swatch = (label) => {
    const mark = make("span", { class: "swatch" });
    mark.style.borderTopColor = color(label);
    mark.style.borderTopStyle = ["solid", "dashed", "dotted", "double"][data.labels[label].dash];
    return mark;
  };
  const tableOf = (heads, rows, id) =>
    make("div", { class: "scroll" }, make("table", id ? { id } : {},
      make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row)))));
  const mainTable = (scenario) =>
    tableOf(scenario.heads, scenario.rows.map((row, i) => row.map((text, c) => {
      const cell = make("td", scenario.bold[i][c] ? { class: "best" } : {});
      if (c === 0) cell.append(swatch(scenario.contenders[i].label));
      cell.append(text);
      return cell;
    })), "results");

  /* ---- charts ---- */
  const zoomKeys = (chart, element) => {
    const all = [chart.scales.x.min, chart.scales.x.max];
    const log = chart.scales.x.distr === 3;
    const to = (x) => (log ? Math.log10(x) : x), from = (x) => (log ? 10 ** x : x);
    const reset = () => chart.setScale("x", { min: all[0], max: all[1] });
    element.addEventListener("keydown", (event) => {
      const a = to(chart.scales.x.min), b = to(chart.scales.x.max), span = b - a;
      const change = { ArrowLeft: [-0.2, -0.2], ArrowRight: [0.2, 0.2], "+": [0.2, -0.2], "=": [0.2, -0.2], "-": [-0.33, 0.33] }[event.key];
      if (event.key === "0" || event.key === "Escape") reset();
      else if (change) chart.setScale("x", { min: from(a + change[0] * span), max: from(b + change[1] * span) });
      else return;
      event.preventDefault();
    });
  };
  const axis = (label, extra) => ({ label, stroke: css("--ink"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line") },
    font: "12px sans-serif", labelFont: "12px sans-serif", ...extra });
  /* series: {label, name, x, y, axis?, dash?}; x and y are arrays of equal length. */
  const chart = (options, series) => {
    const element = make("div", { class: "chart", tabindex: "0", role: "img", "aria-label": options.title });
    const used = series.filter((s) => s.x.length > 0);
    if (used.length === 0) {
      element.append(make("p", { class: "faint" }, "nothing to draw"));
      return element;
    }
    const joined = uPlot.join(used.map((s) => [s.x, s.y]));
    const plot = {
      title: options.title, width: Math.min(1140, document.body.clientWidth - 40), height: options.height || 320,
      scales: { x: { time: false, distr: options.logX ? 3 : 1 }, y: { distr: options.logY ? 3 : 1, ...(options.y || {}) }, q: {} },
      axes: [axis(options.xLabel), axis(options.yLabel, { size: 64 }), ...(options.rightLabel ? [axis(options.rightLabel, { scale: "q", side: 1, grid: { show: false }, size: 64 })] : [])],
      series: [{ label: options.xLabel, value: (_, v) => number(v, 2) }, ...used.map((s) => ({
        label: s.name, class: s.faint ? "hidden" : undefined, stroke: s.faint ? "transparent" : color(s.label), dash: s.dash || dash(s.label), width: s.faint ? 0 : s.thin ? 1 : 2, scale: s.scale || "y",
        points: { show: !!options.points && !s.faint }, value: (_, v) => number(v, 3), spanGaps: true,
        ...(options.steps ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}) }))],
      bands: (options.bands || []).map(([high, low, label]) => ({ series: [high, low], fill: color(label) + "33" })),
      cursor: { drag: { x: true, y: false } },
    };
    const drawn = new uPlot(plot, joined, element);
    zoomKeys(drawn, element);
    return element;
  };
  const loadChart = (scenario) => {
    const alike = data.scenarios.filter((s) => s.load != null && s.trace === scenario.trace && s.cluster === scenario.cluster && s.family === scenario.family);
    if (alike.length < 2) return null;
    const series = [], bands = [];
    data.labels.forEach((_, label) => {
      const points = alike.flatMap((s) => s.contenders.filter((c) => c.label === label && c.jct).map((c) => [s.load, c.jct])).sort((a, b) => a[0] - b[0]);
      if (points.length === 0) return;
      const x = points.map((p) => p[0]), hours = (k) => points.map((p) => p[1][k] / 3600);
      series.push({ label, name: data.labels[label].name, x, y: hours("mean") });
      series.push({ label, name: "high", x, y: hours("high"), faint: true }, { label, name: "low", x, y: hours("low"), faint: true });
      bands.push([series.length - 1, series.length, label]);
    });
    const kinds = new Set(alike.flatMap((s) => s.contenders.filter((c) => c.jct).map((c) => (c.jct.n < 2 ? "one seed" : c.jct.interval ? "95 % interval" : "range over seeds"))));
    return make("div", {}, chart({ title: "average JCT against load", xLabel: "offered load", yLabel: "average JCT (h)", points: true, bands, height: 340 }, series),
        make("p", { class: "note" }, "bands: " + [...kinds].join(", ")));
  };
  const cdfChart = (scenario, tail) =>
    chart({ title: tail ? "JCT: share of jobs not done (CCDF)" : "JCT: share of jobs done (CDF)", xLabel: "JCT (h)", yLabel: tail ? "share not done" : "share done",
      logX: true, logY: tail, steps: true, ...(tail ? {} : { y: { range: [0, 1] } }) },
    scenario.contenders.filter((c) => c.cdf).map((c) => {
      const x = c.cdf[0].map((s) => Math.max(s, 1) / 3600);
      const y = c.cdf[1].map((share) => (tail ? Math.max(1 - share, 0) : share));
      const keep = y.map((v) => !tail || v > 0);
      return { label: c.label, name: data.labels[c.label].name, x: x.filter((_, i) => keep[i]), y: y.filter((_, i) => keep[i]) };
    }));
  const timeChart = (scenario, what) =>
    chart(what === "alloc"
      ? { title: "allocation over time (first seed)", xLabel: "time (h)", yLabel: "allocation (%)", steps: true, y: { range: [0, 100] }, height: 260 }
      : { title: "queue over time (first seed)", xLabel: "time (h)", yLabel: "waiting jobs", steps: true, height: 260 },
    scenario.contenders.filter((c) => c.time).map((c) => ({ label: c.label, name: data.labels[c.label].name, x: c.time.t.map((s) => s / 3600),
      y: what === "alloc" ? c.time.a.map((v) => 100 * v) : c.time.q })));

  /* ---- classes ---- */
  const classTable = (scenario, kind) => {
    const names = new Map();
    scenario.contenders.forEach((c) => (c.classes ? c.classes[kind] : []).forEach(([name, , measured]) => names.set(name, Math.max(names.get(name) || 0, measured))));
    if (names.size < 2) return null;
    const shown = [...names].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 16).map((n) => n[0]);
    const find = (c, name) => (c.classes ? c.classes[kind] : []).find((row) => row[0] === name);
    const base = scenario.contenders[scenario.baseline];
    return tableOf([["model", "GPUs", "user"][kind], "jobs", ...scenario.contenders.map((c) => data.labels[c.label].name + " (h)")],
      shown.map((name) => [make("td", {}, name), make("td", {}, String(names.get(name))), ...scenario.contenders.map((c) => {
        const own = find(c, name), other = find(base, name);
        const cell = make("td", {}, own && own[1] ? (own[3] / 3600).toFixed(2) : "-");
        if (c !== base && own && other && own[1] && other[1] && other[3] > 0) {
          const relative = own[3] / other[3] - 1;
          cell.append(` (${relative >= 0 ? "+" : ""}${(100 * relative).toFixed(0)} %)`);
          cell.style.background = `rgba(var(--${relative > 0 ? "worse" : "better"}), ${Math.min(0.45, Math.abs(relative) * 0.6)})`;
        }
        return cell;
      })]));
  };

  /* ---- jobs on nodes ---- */
  const nodeChart = (contender) => {
    const g = contender.gantt, heat = contender.heat, source = g || heat;
    if (!source) return null;
    const rows = source.nodes.length, height = Math.max(80, Math.min(900, rows * (g ? Math.max(3, Math.min(26, 700 / rows)) : Math.max(2, Math.min(14, 700 / rows)))));
    const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": (g ? "jobs on nodes over time, " : "allocation of nodes over time, ") + data.labels[contender.label].name });
    const width = Math.min(1140, document.body.clientWidth - 40), left = 110, bottom = 26, ratio = devicePixelRatio || 1;
    const label = make("p", { class: "faint" }, "arrows and + - 0: move and zoom; the wheel zooms");
    canvas.width = width * ratio; canvas.height = (height + bottom) * ratio;
    canvas.style.width = width + "px"; canvas.style.height = height + bottom + "px";
    let from = 0, to = source.end;
    const hue = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999"];
    const draw = () => {
      const pen = canvas.getContext("2d"), w = width - left, x = (t) => left + ((t - from) / (to - from)) * w, row = height / rows;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, width, height + bottom);
      pen.save(); pen.beginPath(); pen.rect(left, 0, w, height); pen.clip();
      if (g) {
        for (const [start, length, node, gpu, gpus, kind] of g.spans) {
          const a = x(start), b = x(start + length), part = row / g.gpus[node];
          if (b < left || a > width) continue;
          pen.fillStyle = hue[kind % hue.length];
          pen.fillRect(a, node * row + gpu * part, Math.max(0.6, b - a - 0.3), Math.max(0.6, gpus * part - 0.3));
        }
      } else {
        heat.rows.forEach((text, node) => {
          for (let i = 0; i < text.length; i++) {
            pen.fillStyle = `rgba(${dark.matches ? "77,163,217" : "0,114,178"},${parseInt(text[i], 36) / 35})`;
            const a = x((i * heat.end) / text.length), b = x(((i + 1) * heat.end) / text.length);
            if (b >= left && a <= width) pen.fillRect(a, node * row, b - a + 0.5, row + 0.3);
          }
        });
      }
      pen.restore();
      pen.fillStyle = css("--ink"); pen.font = "11px sans-serif"; pen.textAlign = "right"; pen.textBaseline = "middle";
      const every = Math.ceil(14 / row);
      source.nodes.forEach((name, node) => { if (node % every === 0) pen.fillText(name.slice(0, 16), left - 6, node * row + row / 2); });
      pen.textAlign = "center"; pen.textBaseline = "top";
      for (let i = 0; i <= 8; i++) pen.fillText(((from + ((to - from) * i) / 8) / 3600).toFixed(1) + " h", Math.min(width - 20, left + (w * i) / 8), height + 6);
    };
    const zoom = (factor, at) => { const a = at - (at - from) * factor, b = at + (to - at) * factor; from = Math.max(0, a); to = Math.min(source.end, Math.max(b, from + 1)); draw(); };
    canvas.onkeydown = (event) => {
      const step = (to - from) * 0.2, middle = (from + to) / 2;
      if (event.key === "ArrowLeft") { const d = Math.min(step, from); from -= d; to -= d; draw(); }
      else if (event.key === "ArrowRight") { const d = Math.min(step, source.end - to); from += d; to += d; draw(); }
      else if (event.key === "+" || event.key === "=") zoom(0.6, middle);
      else if (event.key === "-") zoom(1.6, middle);
      else if (event.key === "0" || event.key === "Escape") { from = 0; to = source.end; draw(); }
      else return;
      event.preventDefault();
    };
    canvas.onwheel = (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : 0.8, from + ((event.offsetX - left) / (width - left)) * (to - from)); };
    draw();
    return make("div", {}, make("p", {}, swatch(contender.label), data.labels[contender.label].name, g ? ": jobs on the GPUs of each node (last attempts; colors tell neighbours apart)" : ": allocation of each node"), canvas, label);
  };

  /* ---- the page ---- */
  const body = document.getElementById("report");
  const section = (title, ...children) => {
    const shown = children.filter((child) => child);
    return shown.length ? [make("h2", {}, title), ...shown] : [];
  };
  const provenance = (scenario) => {
    const rows = scenario.contenders.flatMap((c) => c.runs.map((r) => [make("td", {}, data.labels[c.label].name), ...[r.id, r.seed, r.version, r.added, r.wall.toFixed(2)].map((v) => make("td", {}, String(v)))]));
    return [tableOf(["scheduler", "run", "seed", "version", "stored", "wall s"], rows.slice(0, 200)),
      make("p", { class: "note" }, `trace ${scenario.trace} sha256 ${scenario.traceSha}; cluster ${scenario.cluster} sha256 ${scenario.clusterSha}; ${scenario.gpus} GPUs`),
      ...scenario.contenders.filter((c) => c.config).map((c) => make("details", {}, make("summary", {}, "configuration of " + data.labels[c.label].name), make("pre", {}, c.config)))];
  };
  let current = 0, tail = false, kind = 0;
  const show = () => {
    const scenario = data.scenarios[current];
    const pick = make("select", { "aria-label": "scenario", onchange: (e) => { current = +e.target.value; show(); } },
      ...data.scenarios.map((s, i) => { const o = make("option", { value: i }, s.text); o.selected = i === current; return o; }));
    const tabs = (names, chosen, choose) => make("div", {}, ...names.map((name, i) => make("button", { "aria-pressed": i === chosen ? "true" : "false", onclick: () => { choose(i); show(); } }, name)));
    body.replaceChildren(
      make("h1", {}, scenario.experiment || "frenzy report"),
      make("p", {}, data.scenarios.length > 1 ? pick : scenario.text),
      make("p", { class: "sentence", id: "sentence" }, scenario.sentence),
      make("p", { class: "faint" }, (scenario.load != null ? `offered load ${number(scenario.load, 3)}, ` : "") + `${scenario.gpus} GPUs, ${scenario.jobs} jobs measured`),
      mainTable(scenario), ...scenario.notes.map((note) => make("p", { class: "note" }, note)),
      ...(data.overall ? section("All scenarios", tableOf(data.overall.heads, data.overall.rows.map((r) => r.map((text) => make("td", {}, text))))) : []),
      ...section("Average JCT against load", loadChart(scenario)),
      ...section("Completion times", tabs(["CDF", "CCDF (tail)"], tail ? 1 : 0, (i) => (tail = i === 1)), cdfChart(scenario, tail)),
      ...section("Allocation and queue", timeChart(scenario, "alloc"), timeChart(scenario, "queue")),
      ...section("Who wins, who loses", tabs(["by model", "by size", "by user"], kind, (i) => (kind = i)),
        classTable(scenario, kind) || make("p", { class: "faint" }, "the trace does not tell"), make("p", { class: "note" }, "average JCT of finished jobs, and the difference to the baseline")),
      ...section("Jobs on nodes (first seed)", ...scenario.contenders.map(nodeChart)),
      ...(data.failures.length ? section("Failed runs", tableOf(["scheduler", "scenario", "seed", "why"], data.failures.map((f) => f.map((text) => make("td", {}, String(text)))))) : []),
      ...section("Provenance", make("p", { class: "note" }, "made by: " + data.command), ...provenance(scenario)),
      ...section("Definitions", make("p", { class: "note" }, "JCT: end - submission, over finished jobs of the measured window; others are counted beside. Queue: first start - submission. Makespan: last end - first submission. " +
        "Allocation: leased GPU time / GPU time of the cluster; it is not utilization. Percentiles are nearest rank. Load: offered work / capacity from the first to the last submission.")));
  };
  show();
  dark.addEventListener("change", show);
})();
