// A picture of names and how they are joined, on a canvas: dragged, zoomed, clicked. Ten thousand of them stay fluid: while such a
// picture moves the last one is shown moved, and it is drawn anew when it rests.

import { shapeOf } from './layout.js';

const kLabels = 160;      // names written at most
const kWordsUpTo = 120;   // links up to which relations are written
const kMany = 1000;       // links from which on a moving picture is not drawn anew each frame
const kNarrow = 450;      // pixels of a phone
const kRest = 120;        // ms without a move after which it is
const kAtOnce = 250;      // lines of one path: longer paths take a time that grows faster than they do
const kColors = 8;        // --kind-0 ... of the style sheet; the last is for all other kinds

export class Picture {
  nodes = [];
  links = [];
  center = null;
  focus = null;
  #view = { x: 0, y: 0, scale: 1, tall: 1 };  // `tall`: stretched so much upwards, where there is room
  #frame = 0;
  #held = null;
  #over = null;
  #still = null;  // {image, view}: the last picture drawn
  #resting = 0;
  #was_narrow = null;

  // `chosen(node)` is called for a click on a name.
  constructor(canvas, chosen) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.chosen = chosen;
    new ResizeObserver(() => this.resized()).observe(canvas);
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    canvas.addEventListener('pointerup', (event) => this.#up(event));
    canvas.addEventListener('pointercancel', () => { this.#held = null; });
    canvas.addEventListener('pointerleave', () => this.#hover(null));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
  }

  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }
  get narrow() { return this.width < kNarrow; }

  resized() {
    if (!this.width) return;
    if (this.#was_narrow !== null && this.#was_narrow !== this.narrow) this.#turn();
    this.#was_narrow = this.narrow;
    const dense = devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * dense);
    this.canvas.height = Math.round(this.height * dense);
    this.fit();
  }

  // From a wide picture to a high one, or back: as the layout would have placed the names.
  #turn() {
    const [from, to] = [this.#was_narrow, this.narrow].map(shapeOf);
    for (const node of this.nodes) {
      node.x *= to[0] / from[0];
      node.y *= to[1] / from[1];
    }
  }

  // Everything into the picture, with room for words.
  fit() {
    if (!this.nodes.length || !this.width) return this.draw();
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (const node of this.nodes) {
      left = Math.min(left, node.x);
      right = Math.max(right, node.x);
      top = Math.min(top, node.y);
      bottom = Math.max(bottom, node.y);
    }
    const x = (left + right) / 2, y = (top + bottom) / 2, words = this.nodes.length > 300 ? 20 : this.narrow ? 92 : 135;
    const scale = Math.min(1.25, (this.width - 2 * words) / Math.max(1, right - left), (this.height - 56) / Math.max(1, bottom - top));
    const tall = Math.min(1.8, Math.max(1, (this.height - 56) / (scale * Math.max(1, bottom - top))));
    this.#view = { scale: Math.max(scale, 0.02), x, y, tall };
    this.draw();
  }

  zoom(by, x = this.width / 2, y = this.height / 2) {
    const before = this.#toWorld(x, y);
    this.#view.scale = Math.min(6, Math.max(0.02, this.#view.scale * by));
    const after = this.#toWorld(x, y);
    this.#view.x += before.x - after.x;
    this.#view.y += before.y - after.y;
    this.draw(true);
  }

  // `moved`: nothing but the view has changed.
  draw(moved = false) {
    const quick = moved && this.#still && this.links.length > kMany;
    if (!quick) this.#still = null;
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const begin = performance.now();
      clearTimeout(this.#resting);
      if (this.#still) {
        this.#shift();
        this.#resting = setTimeout(() => this.draw(), kRest);
      } else {
        this.#paint();
      }
      this.canvas.dataset.frameMs = (performance.now() - begin).toFixed(2);
    });
  }

  // The last picture where the view has moved to.
  #shift() {
    const { context, canvas } = this, { image, view } = this.#still;
    const by = this.#view.scale / view.scale, dense = devicePixelRatio || 1;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image,
      dense * ((view.x - this.#view.x) * this.#view.scale + (this.width / 2) * (1 - by)),
      dense * ((view.y - this.#view.y) * this.#view.scale * view.tall + (this.height / 2) * (1 - by)), image.width * by, image.height * by);
  }

  #keep() {
    if (this.links.length <= kMany) return;
    const image = new OffscreenCanvas(this.canvas.width, this.canvas.height);
    image.getContext('2d').drawImage(this.canvas, 0, 0);
    this.#still = { image, view: { ...this.#view } };
  }

  #toWorld(x, y) {
    return { x: (x - this.width / 2) / this.#view.scale + this.#view.x, y: (y - this.height / 2) / this.#view.scale / this.#view.tall + this.#view.y };
  }

  // Where a node stands on the canvas.
  onCanvas(node) {
    return { x: (node.x - this.#view.x) * this.#view.scale + this.width / 2, y: (node.y - this.#view.y) * this.#view.scale * this.#view.tall + this.height / 2 };
  }

  radius(node) {
    const many = this.nodes.length > 400 ? 0.55 : 1;
    return (node === this.center ? 9 : 4.5 + Math.min(4, Math.log2(1 + node.edges) / 2)) * many * Math.min(1.3, Math.max(0.5, this.#view.scale));
  }

  #under(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let best = null, least = event.pointerType === 'touch' ? 24 : 14;
    for (const node of this.nodes) {
      const there = this.onCanvas(node), far = Math.hypot(there.x - x, there.y - y);
      if (far < least) [best, least] = [node, far];
    }
    if (best) return best;
    const named = this.written?.find(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
    return named?.node ?? null;
  }

  #down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.#held = { node: this.#under(event), x: event.clientX, y: event.clientY, moved: false };
  }

  #move(event) {
    const held = this.#held;
    if (!held) return this.#hover(this.#under(event));
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.moved && Math.hypot(dx, dy) < 4) return;
    Object.assign(held, { moved: true, x: event.clientX, y: event.clientY });
    if (held.node) {
      held.node.x += dx / this.#view.scale;
      held.node.y += dy / this.#view.scale / this.#view.tall;
      held.node.fixed = true;
    } else {
      this.#view.x -= dx / this.#view.scale;
      this.#view.y -= dy / this.#view.scale / this.#view.tall;
    }
    this.draw(!held.node);
  }

  #up() {
    const held = this.#held;
    this.#held = null;
    if (held?.node && !held.moved) this.chosen(held.node);
  }

  #hover(node) {
    if (node === this.#over) return;
    this.#over = node;
    this.canvas.style.cursor = node ? 'pointer' : 'grab';
    this.canvas.title = node ? [node.name, node.kind].filter(Boolean).join(' · ') : '';
    if (this.links.length <= kMany) this.draw();
  }

  #paint() {
    const { context, canvas } = this, dense = devicePixelRatio || 1;
    const style = getComputedStyle(canvas), color = (name) => style.getPropertyValue(name).trim();
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.#paintLinks(color);
    this.#paintNodes(color);
    const taken = this.nodes.length > 200 ? [] : this.nodes.map((node) => {  // words stay off the dots
      const { x, y } = this.onCanvas(node), r = this.radius(node);
      return { left: x - r, right: x + r, top: y - r, bottom: y + r };
    });
    this.written = [];
    this.#paintNames(color, taken);
    if (this.links.length <= kWordsUpTo) this.#paintRelations(color, taken);
    this.#keep();
  }

  #paintLinks(color) {
    const { context } = this;
    for (const walked of [false, true]) {
      context.beginPath();
      context.strokeStyle = color(walked ? '--accent' : '--line');
      context.lineWidth = walked ? 2.5 : this.links.length > 400 ? 0.5 : 1.2;
      let lines = 0;
      for (const link of this.links) {
        if (Boolean(link.walked) !== walked) continue;
        if (++lines % kAtOnce === 0) {
          context.stroke();
          context.beginPath();
        }
        const a = this.onCanvas(link.a), b = this.onCanvas(link.b);
        context.moveTo(a.x, a.y);
        context.lineTo(b.x, b.y);
      }
      context.stroke();
    }
  }

  #paintNodes(color) {
    const { context } = this;
    const groups = Array.from({ length: kColors }, () => []);
    for (const node of this.nodes) groups[Math.min(node.color ?? kColors - 1, kColors - 1)].push(node);
    groups.forEach((group, i) => {
      context.fillStyle = color('--kind-' + i);
      context.beginPath();
      for (const node of group) {
        const { x, y } = this.onCanvas(node), r = this.radius(node);
        if (x < -r || y < -r || x > this.width + r || y > this.height + r) continue;
        if (this.nodes.length > kMany) {
          context.fillRect(x - r, y - r, 2 * r, 2 * r);
        } else {
          context.moveTo(x + r, y);
          context.arc(x, y, r, 0, 2 * Math.PI);
        }
      }
      context.fill();
    });
    for (const node of new Set([this.center, this.focus, this.#over])) {
      if (!node) continue;
      const { x, y } = this.onCanvas(node);
      context.beginPath();
      context.strokeStyle = color('--text');
      context.lineWidth = 2;
      context.arc(x, y, this.radius(node) + 2.5, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  // Text with a border in the color of the ground, where nothing is written yet.
  #write(text, x, y, align, taken, inks, sure = false) {
    const { context } = this;
    const wide = context.measureText(text).width + 4, high = 15;
    const left = align === 'left' ? x : align === 'right' ? x - wide : x - wide / 2;
    const box = { left, right: left + wide, top: y - high / 2, bottom: y + high / 2 };
    if (box.right < 0 || box.left > this.width || box.bottom < 0 || box.top > this.height) return null;
    if (!sure && (box.left < 0 || box.right > this.width)) return null;  // no half names
    if (!sure && taken.some((other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top)) return null;
    taken.push(box);
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeStyle = inks.ground;
    context.strokeText(text, left + 2, y);
    context.fillStyle = inks.ink;
    context.fillText(text, left + 2, y);
    return box;
  }

  #paintNames(color, taken) {
    const { context } = this, inks = { ink: color('--text'), ground: color('--card') };
    const many = this.nodes.length > 300 && this.#view.scale < 0.9;
    const order = [this.#over, this.center, this.focus, ...(many ? this.nodes.slice(0, 40) : this.nodes)].filter(Boolean);
    const seen = new Set();
    for (const node of order) {
      if (seen.has(node) || seen.size > kLabels) continue;
      const { x, y } = this.onCanvas(node);
      if (x < -50 || y < -20 || x > this.width + 50 || y > this.height + 20) continue;
      seen.add(node);
      const strong = node === this.center || node === this.focus || node === this.#over;
      context.font = `${strong ? '600 13px' : '12px'} system-ui, sans-serif`;
      const text = short(node.name, strong ? 34 : this.narrow ? 14 : 22), r = this.radius(node) + 3;
      const toRight = !this.center || node.x >= this.center.x;
      const spots = node === this.center ? [[x, y - r - 8, 'center'], [x, y + r + 8, 'center']]
        : [[toRight ? x + r : x - r, y, toRight ? 'left' : 'right'], [x, y + r + 8, 'center'], [x, y - r - 8, 'center']];
      for (const [tx, ty, align] of spots) {
        const box = this.#write(text, tx, ty, align, taken, inks, node === this.#over);
        if (!box) continue;
        this.written.push({ ...box, node });
        break;
      }
    }
  }

  #paintRelations(color, taken) {
    const { context } = this, inks = { ink: color('--soft'), ground: color('--card') };
    context.font = '11px system-ui, sans-serif';
    for (const link of this.links) {
      const a = this.onCanvas(link.a), b = this.onCanvas(link.b);
      if (Math.hypot(a.x - b.x, a.y - b.y) < 46) continue;
      for (const part of [0.5, 0.62, 0.4])
        if (this.#write(short(link.label, 26), a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, 'center', taken, inks)) break;
    }
  }
}

export function short(text, most) {
  const letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : text;
}
