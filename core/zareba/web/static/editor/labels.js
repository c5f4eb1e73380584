// The labels of the editor's map.
import { LabelLayer } from "../common/labels.js";
import { table } from "./state.js";

const layer = new LabelLayer(table);

/** Read the labels of the map again and place them. */
export function readLabels() {
  layer.read((tag) => tag.classList.contains("kind-leader") ? 2 : 3);
  placeLabels();
}

function placeLabels() {
  const { x, y, width, height } = table.viewBox.baseVal;
  layer.place([x, y, x + width, y + height]);
}

/** Place the labels again when the map gets another size. */
export function listenForSize() {
  new ResizeObserver(placeLabels).observe(table);
}
