// Coastlines: TopoJSON (github.com/topojson/topojson-specification) to rings of [longitude, latitude].
// A ring that crosses the 180th meridian goes on beyond it, instead of back around the earth.
function unwrapped(ring) {
  let turns = 0;
  return ring.map(([x, y], at) => {
    if (at > 0 && Math.abs(x - ring[at - 1][0]) > 180) turns += x < ring[at - 1][0] ? 360 : -360;
    return [x + turns, y];
  });
}

function ringsOfLand(topology) {
  const { scale, translate } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  const pointsOfArc = (index) => (index < 0 ? [...arcs[~index]].reverse() : arcs[index]);
  const ringOf = (indices) => unwrapped(indices.flatMap((index, at) => pointsOfArc(index).slice(at === 0 ? 0 : 1)));
  return topology.objects.land.geometries.flatMap((geometry) => {
    const polygons = geometry.type === "Polygon" ? [geometry.arcs] : geometry.arcs;
    return polygons.flatMap((polygon) => polygon.map(ringOf));
  }).filter((ring) => ring.some(([, y]) => y > -60));  // Antarctica encloses a pole
}

