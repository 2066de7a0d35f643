// Coastlines: TopoJSON (github.com/topojson/topojson-specification) to rings of [longitude, latitude].
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
  const ringOf = (indices) => indices.flatMap((index, at) => pointsOfArc(index).slice(at === 0 ? 0 : 1));
  return topology.objects.land.geometries.flatMap((geometry) => {
    const polygons = geometry.type === "Polygon" ? [geometry.arcs] : geometry.arcs;
    return polygons.flatMap((polygon) => polygon.map(ringOf));
  });
}

