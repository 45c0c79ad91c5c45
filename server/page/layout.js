// Where the names of a picture stand. Few are pushed apart by forces; many stand in rings, which takes no time for any number.

const kForces = 160;  // names up to which forces are worked out
const kRounds = 120;
const kWreath = 18;  // names up to which one wreath holds them
const kApart = 92;  // pixels between two names

// How a picture is stretched. Wider than high, since names are read from left to right; on a phone there is no room for that.
export function shapeOf(narrow) {
  return narrow ? [0.7, 1.35] : [1.3, 0.85];
}

// Around `parent`, in rings that grow outwards; those that stand already stay. `toward` is the angle that they spread around,
// all around where it is null. `narrow`: the picture is higher than wide, as on a phone.
export function place(parent, children, toward, narrow) {
  const [wide, high] = shapeOf(narrow);
  const spread = toward === null ? 2 * Math.PI : 1.9;
  const begin = toward === null ? -Math.PI / 2 : toward - spread / 2;
  if (children.length <= kWreath) {
    children.forEach((node, i) => {
      const part = toward === null ? i / children.length : (i + 0.5) / children.length;
      const radius = 135 + (children.length > 7 && i % 2 ? 62 : 0);  // names side by side stand in two rows
      node.x = parent.x + wide * radius * Math.cos(begin + spread * part);
      node.y = parent.y + high * radius * Math.sin(begin + spread * part);
    });
    return;
  }
  const gap = children.length > kForces ? 14 : kApart;
  let done = 0;
  for (let ring = 0; done < children.length; ++ring) {
    const radius = (children.length > kForces ? 220 : 130) + ring * (children.length > kForces ? 18 : 78);
    const room = Math.max(3, Math.floor((spread * radius) / gap));
    const here = Math.min(room, children.length - done);
    for (let i = 0; i < here; ++i) {
      const angle = begin + (spread * (i + (toward === null ? 0 : 0.5) + (ring % 2) / 2)) / here;
      const node = children[done++];
      node.x = parent.x + wide * radius * Math.cos(angle);
      node.y = parent.y + high * radius * Math.sin(angle);
    }
  }
}

// Pushes names apart and pulls those that are joined together. Nodes that `fixed` holds (dragged, the middle) stay.
export function relax(nodes, links, narrow) {
  const [wide, high] = shapeOf(narrow), aside = wide / high;
  if (nodes.length > kForces || nodes.length < 3) return;
  for (let round = 0; round < kRounds; ++round) {
    const cool = 1 - round / kRounds;
    for (const node of nodes) node.dx = node.dy = 0;
    for (let i = 0; i < nodes.length; ++i)
      for (let j = i + 1; j < nodes.length; ++j) {
        const a = nodes[i], b = nodes[j];
        const x = (a.x - b.x) / aside || (i - j) * 0.01, y = a.y - b.y || 0.01;
        const far2 = x * x + y * y;
        if (far2 > 40000) continue;
        const push = 2600 / Math.max(far2, 60);
        const far = Math.sqrt(far2);
        a.dx += (x / far) * push * aside;
        a.dy += (y / far) * push;
        b.dx -= (x / far) * push * aside;
        b.dy -= (y / far) * push;
      }
    for (const { a, b } of links) {
      const x = b.x - a.x, y = b.y - a.y, far = Math.hypot(x / wide, y / high) || 1;
      const pull = (far - 150) * 0.05;
      a.dx += (x / far) * pull;
      a.dy += (y / far) * pull;
      b.dx -= (x / far) * pull;
      b.dy -= (y / far) * pull;
    }
    for (const node of nodes) {
      if (node.fixed) continue;
      const step = Math.min(14 * cool + 0.5, Math.hypot(node.dx, node.dy)), size = Math.hypot(node.dx, node.dy) || 1;
      node.x += (node.dx / size) * step;
      node.y += (node.dy / size) * step;
    }
  }
}
