// Draws the points of the page with WebGL and handles mouse, touch and keyboard.
'use strict';
(() => {
const element = name => document.getElementById(name);

function bytes(name) {
  const text = atob(element(name).textContent);
  const values = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) values[i] = text.charCodeAt(i);
  element(name).textContent = '';
  return values.buffer;
}

const origin = JSON.parse(element('origin').textContent);
const sizes = new Uint32Array(bytes('sizes'));
const corners = new Float32Array(bytes('box_corners'));
const given = {positions: new Float32Array(bytes('positions')), labels: new Int32Array(bytes('labels'))};
const count = given.labels.length;

// The range that holds most points; ignores outliers.
function usual_extent() {
  const low = [0, 0, 0], high = [0, 0, 0];
  const step = Math.max(1, Math.floor(count / 20000));
  for (let axis = 0; axis < 3; ++axis) {
    const sample = [];
    for (let i = 0; i < count; i += step) sample.push(given.positions[3 * i + axis]);
    if (sample.length === 0) continue;
    sample.sort((a, b) => a - b);
    low[axis] = sample[Math.floor(sample.length * 0.02)];
    high[axis] = sample[Math.floor((sample.length - 1) * 0.98)];
  }
  return {low, high};
}
const extent = usual_extent();
const centre = [0, 1, 2].map(axis => (extent.low[axis] + extent.high[axis]) / 2);
const reach = Math.max(1e-6, Math.hypot(...[0, 1, 2].map(axis => extent.high[axis] - extent.low[axis])) / 2);

// Clusters first, then noise, so that noise can be left out. Relative to the centre, since the GPU
// computes in single precision.
const positions = new Float32Array(3 * count), labels = new Int32Array(count);
let clustered = 0;
for (const wants_noise of [false, true]) {
  let to = wants_noise ? clustered : 0;
  for (let i = 0; i < count; ++i) {
    if ((given.labels[i] < 0) !== wants_noise) continue;
    labels[to] = given.labels[i];
    for (let axis = 0; axis < 3; ++axis) positions[3 * to + axis] = given.positions[3 * i + axis] - centre[axis];
    ++to;
  }
  if (!wants_noise) clustered = to;
}

const state = {boxes: false, noise: true, chosen: -1, point_size: 1, dark: matchMedia('(prefers-color-scheme: dark)').matches};
const start = () => ({yaw: -2.2, pitch: 0.62, distance: 2.1 * reach, target: [0, 0, 0]});
let camera = start();

// ---- colours ------------------------------------------------------------------------------------

function channel(hue, saturation, lightness, offset) {
  const k = (offset + hue / 30) % 12;
  return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
}
// Clusters from the largest to the smallest, and the rank of each.
const by_size = Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a] || a - b);
const rank = new Int32Array(sizes.length);
by_size.forEach((label, place) => { rank[label] = place; });

// Hues are a golden angle apart, so the largest clusters differ clearly in colour.
function colour_of(label) {
  if (label < 0) return state.dark ? [105, 112, 121] : [158, 164, 172];
  const hue = (20 + rank[label] * 137.508) % 360, turn = Math.floor(rank[label] / 5) % 3;
  const lightness = (state.dark ? 0.60 : 0.43) + [0, 0.09, -0.07][turn];
  return [0, 8, 4].map(offset => Math.round(255 * channel(hue, 0.72, lightness, offset)));
}
const css = rgb => `rgb(${rgb.join(',')})`;

// ---- the graphics card --------------------------------------------------------------------------

const canvas = element('canvas');
const gl = canvas.getContext('webgl', {antialias: true});
if (!gl) {
  element('failure').hidden = false;
  return;
}

function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.bindAttribLocation(made, 0, 'position');
  gl.bindAttribLocation(made, 1, 'colour');
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return {made, matrix: gl.getUniformLocation(made, 'matrix'), size: gl.getUniformLocation(made, 'size'),
          is_round: gl.getUniformLocation(made, 'is_round')};
}

const drawing = program(
  `attribute vec3 position; attribute vec4 colour; uniform mat4 matrix; uniform vec3 size; varying vec4 shade;
   void main() {
     gl_Position = matrix * vec4(position, 1.0);
     gl_PointSize = clamp(size.x / max(gl_Position.w, 1e-9), size.y, size.z);
     shade = colour;
   }`,
  `precision mediump float; varying vec4 shade; uniform float is_round;
   void main() {
     vec2 away = gl_PointCoord - 0.5;
     if (is_round > 0.5 && dot(away, away) > 0.25) discard;
     gl_FragColor = shade;
   }`);

function buffer(kind, data) {
  const made = gl.createBuffer();
  gl.bindBuffer(kind, made);
  gl.bufferData(kind, data, gl.STATIC_DRAW);
  return made;
}
const position_buffer = buffer(gl.ARRAY_BUFFER, positions);
const colour_buffer = gl.createBuffer();
// Each point's number as a colour in four bytes. Rendered around the pointer, it identifies the
// point.
const number_buffer = buffer(gl.ARRAY_BUFFER, new Uint8Array(Uint32Array.from({length: count}, (_, i) => i + 1).buffer));
const box_buffer = gl.createBuffer(), box_colour_buffer = gl.createBuffer();
let box_ends = 0;

function fill_colours() {
  const colours = new Uint8Array(4 * count), known = new Map();
  const faded = state.dark ? [44, 50, 57] : [219, 223, 228];
  for (let i = 0; i < count; ++i) {
    const label = labels[i];
    if (!known.has(label)) known.set(label, state.chosen >= 0 && label !== state.chosen ? faded : colour_of(label));
    colours.set(known.get(label), 4 * i);
    colours[4 * i + 3] = 255;
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, colour_buffer);
  gl.bufferData(gl.ARRAY_BUFFER, colours, gl.DYNAMIC_DRAW);
}

function fill_boxes() {
  const lines = [], colours = [];
  for (let label = 0; label < sizes.length; ++label) {
    if (state.chosen >= 0 ? label !== state.chosen : !state.boxes) continue;
    const at = corner => [0, 1, 2].map(axis => corners[6 * label + 3 * (corner >> axis & 1) + axis] - centre[axis]);
    for (let corner = 0; corner < 8; ++corner)
      for (let axis = 0; axis < 3; ++axis)
        if (!(corner >> axis & 1)) {
          lines.push(...at(corner), ...at(corner | 1 << axis));
          for (let end = 0; end < 2; ++end) colours.push(...colour_of(label), 255);
        }
  }
  box_ends = lines.length / 3;
  gl.bindBuffer(gl.ARRAY_BUFFER, box_buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(lines), gl.DYNAMIC_DRAW);
  gl.bindBuffer(gl.ARRAY_BUFFER, box_colour_buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array(colours), gl.DYNAMIC_DRAW);
}

// ---- the camera ---------------------------------------------------------------------------------

function axes() {
  const {yaw, pitch} = camera;
  const back = [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch)];
  const right = [-Math.sin(yaw), Math.cos(yaw), 0];
  const up = [-Math.sin(pitch) * Math.cos(yaw), -Math.sin(pitch) * Math.sin(yaw), Math.cos(pitch)];
  return {back, right, up};
}

const focal = 1 / Math.tan(0.4);

function matrix() {
  const {back, right, up} = axes();
  const eye = camera.target.map((value, axis) => value + camera.distance * back[axis]);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const near = camera.distance / 100, far = camera.distance * 20 + 4 * reach;
  const wide = focal * canvas.height / canvas.width;
  const depth = (far + near) / (near - far), shift = 2 * far * near / (near - far);
  const x = -dot(right, eye), y = -dot(up, eye), z = -dot(back, eye);
  const made = [];
  for (let axis = 0; axis < 3; ++axis)
    made.push(wide * right[axis], focal * up[axis], depth * back[axis], -back[axis]);
  made.push(wide * x, focal * y, depth * z + shift, -z);
  return new Float32Array(made);
}

function attributes(place, colour) {
  gl.bindBuffer(gl.ARRAY_BUFFER, place);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  gl.bindBuffer(gl.ARRAY_BUFFER, colour);
  gl.enableVertexAttribArray(1);
  gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 0, 0);
}

function draw_points(colour, least) {
  const ratio = devicePixelRatio || 1;
  gl.uniform3f(drawing.size, 0.0035 * reach * state.point_size * focal * canvas.height / 2, least * ratio, 24 * ratio);
  gl.uniform1f(drawing.is_round, 1);
  attributes(position_buffer, colour);
  gl.drawArrays(gl.POINTS, 0, state.noise ? count : clustered);
}

let is_asked_for = false;
function draw_soon() {
  if (is_asked_for) return;
  is_asked_for = true;
  requestAnimationFrame(() => {
    is_asked_for = false;
    draw();
  });
}

function fit_canvas() {
  const ratio = devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
}

function draw() {
  fit_canvas();
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(...(state.dark ? [0.059, 0.071, 0.086] : [0.965, 0.969, 0.976]), 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  gl.useProgram(drawing.made);
  gl.uniformMatrix4fv(drawing.matrix, false, matrix());
  draw_points(colour_buffer, 1.6);
  if (box_ends > 0) {
    gl.uniform1f(drawing.is_round, 0);
    attributes(box_buffer, box_colour_buffer);
    gl.drawArrays(gl.LINES, 0, box_ends);
  }
}

// ---- what is under the pointer ------------------------------------------------------------------

const picking = {frame: gl.createFramebuffer(), texture: gl.createTexture(), depth: gl.createRenderbuffer(), width: 0, height: 0};

function fit_picking() {
  if (picking.width === canvas.width && picking.height === canvas.height) return;
  Object.assign(picking, {width: canvas.width, height: canvas.height});
  gl.bindTexture(gl.TEXTURE_2D, picking.texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, picking.width, picking.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  gl.bindRenderbuffer(gl.RENDERBUFFER, picking.depth);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, picking.width, picking.height);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, picking.texture, 0);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, picking.depth);
}

// The number of the point nearest to a place on the canvas, or -1.
function point_at(x, y) {
  const ratio = devicePixelRatio || 1, radius = Math.round(5 * ratio), side = 2 * radius + 1;
  const left = Math.round(x * ratio) - radius, bottom = canvas.height - Math.round(y * ratio) - radius;
  gl.bindFramebuffer(gl.FRAMEBUFFER, picking.frame);
  fit_picking();
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(left, bottom, side, side);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.useProgram(drawing.made);
  gl.uniformMatrix4fv(drawing.matrix, false, matrix());
  draw_points(number_buffer, 2);
  const pixels = new Uint8Array(4 * side * side);
  gl.readPixels(left, bottom, side, side, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  gl.disable(gl.SCISSOR_TEST);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const numbers = new Uint32Array(pixels.buffer);
  let nearest = -1, least = Infinity;
  for (let row = 0; row < side; ++row)
    for (let column = 0; column < side; ++column) {
      const away = (row - radius) ** 2 + (column - radius) ** 2;
      if (numbers[row * side + column] !== 0 && away < least) {
        least = away;
        nearest = numbers[row * side + column] - 1;
      }
    }
  return nearest;
}

const words = value => value.toLocaleString('en');
const rounded = value => value.toLocaleString('en', {maximumFractionDigits: reach < 10 ? 3 : 2, useGrouping: false});

function show_tip(x, y) {
  const tip = element('tip'), point = point_at(x, y);
  tip.hidden = point < 0;
  if (point < 0) return;
  const label = labels[point];
  const place = [0, 1, 2].map(axis => rounded(positions[3 * point + axis] + centre[axis] + origin[axis])).join('  ');
  const extents = [0, 1, 2].map(axis => rounded(corners[6 * label + 3 + axis] - corners[6 * label + axis])).join(' × ');
  tip.textContent = label < 0 ? `noise\nat ${place}` :
    `cluster ${label}: ${words(sizes[label])} points\nbox ${extents}\nat ${place}`;
  tip.style.left = Math.min(x + 14, innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = Math.min(y + 14, innerHeight - tip.offsetHeight - 8) + 'px';
}

// ---- mouse, fingers and keys --------------------------------------------------------------------

const pointers = new Map();
let hover = null;

function move_target(dx, dy) {
  const {right, up} = axes();
  const scale = 2 * camera.distance / focal / canvas.clientHeight;
  for (let axis = 0; axis < 3; ++axis) camera.target[axis] += scale * (dy * up[axis] - dx * right[axis]);
}
function turn(dx, dy) {
  camera.yaw -= dx * 0.006;
  camera.pitch = Math.max(-1.55, Math.min(1.55, camera.pitch + dy * 0.006));
}
function come_closer(factor) {
  camera.distance = Math.max(reach * 1e-4, Math.min(reach * 100, camera.distance * factor));
}

canvas.addEventListener('pointerdown', event => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  canvas.classList.add('turning');
  element('tip').hidden = true;
});
for (const kind of ['pointerup', 'pointercancel'])
  canvas.addEventListener(kind, event => {
    pointers.delete(event.pointerId);
    if (pointers.size === 0) canvas.classList.remove('turning');
  });
canvas.addEventListener('pointerleave', () => { element('tip').hidden = true; hover = null; });

canvas.addEventListener('pointermove', event => {
  const before = pointers.get(event.pointerId), now = [event.clientX, event.clientY];
  if (!before) {
    if (!hover) requestAnimationFrame(() => { if (hover && pointers.size === 0) show_tip(...hover); hover = null; });
    hover = now;
    return;
  }
  pointers.set(event.pointerId, now);
  const dx = now[0] - before[0], dy = now[1] - before[1];
  if (pointers.size === 2) {
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    const span = place => Math.max(1, Math.hypot(place[0] - other[0], place[1] - other[1]));
    come_closer(span(before) / span(now));
    move_target(dx / 2, dy / 2);
  } else if (event.buttons & 6 || event.shiftKey) {
    move_target(dx, dy);
  } else {
    turn(dx, dy);
  }
  draw_soon();
});
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  come_closer(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) * 0.0015));
  element('tip').hidden = true;
  draw_soon();
}, {passive: false});
canvas.addEventListener('contextmenu', event => event.preventDefault());

// ---- legend and buttons -------------------------------------------------------------------------

function choose(label) {
  state.chosen = state.chosen === label ? -1 : label;
  if (state.chosen >= 0) {
    const low = corners.subarray(6 * label, 6 * label + 3), high = corners.subarray(6 * label + 3, 6 * label + 6);
    camera.target = [0, 1, 2].map(axis => (low[axis] + high[axis]) / 2 - centre[axis]);
    const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    camera.distance = Math.max(reach * 0.05, 2 * size);
  }
  refresh();
}

function fill_legend() {
  const shown = 14, legend = element('legend');
  legend.replaceChildren();
  const title = document.createElement('h2');
  title.textContent = sizes.length === 0 ? 'no clusters' : 'largest clusters';
  legend.append(title);
  for (const label of by_size.slice(0, shown)) {
    const button = document.createElement('button');
    const swatch = document.createElement('i'), name = document.createElement('span'), size = document.createElement('span');
    swatch.style.background = css(colour_of(label));
    name.textContent = `cluster ${label}`;
    size.textContent = words(sizes[label]);
    button.setAttribute('aria-pressed', String(state.chosen === label));
    button.append(swatch, name, size);
    button.addEventListener('click', () => choose(label));
    legend.append(button);
  }
  if (by_size.length > shown) {
    const rest = document.createElement('p');
    rest.className = 'quiet';
    rest.textContent = `and ${words(by_size.length - shown)} smaller`;
    legend.append(rest);
  }
}

function refresh() {
  document.documentElement.classList.toggle('dark', state.dark);
  element('boxes').setAttribute('aria-pressed', String(state.boxes));
  element('noise').setAttribute('aria-pressed', String(state.noise));
  fill_colours();
  fill_boxes();
  fill_legend();
  draw_soon();
}

const actions = {
  boxes: () => { state.boxes = !state.boxes; },
  noise: () => { state.noise = !state.noise; },
  larger: () => { state.point_size = Math.min(16, state.point_size * 1.4); },
  smaller: () => { state.point_size = Math.max(0.1, state.point_size / 1.4); },
  reset: () => { camera = start(); state.chosen = -1; },
  theme: () => { state.dark = !state.dark; },
};
const keys = {b: 'boxes', n: 'noise', '+': 'larger', '-': 'smaller', r: 'reset', t: 'theme', Escape: 'reset'};
for (const name of Object.keys(actions))
  element(name).addEventListener('click', () => { actions[name](); refresh(); });
addEventListener('keydown', event => {
  if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
  actions[keys[event.key]]();
  refresh();
});
addEventListener('resize', draw_soon);

refresh();
})();
