import { layerIndex } from '../../format/layers.js';
import type { Drawing, Shape } from '../../format/map-feature.js';
import type { ContentMixer } from './content-mixer.js';

/** How something is drawn. */
export function mixLook(mixer: ContentMixer, { layer, minZoom, maxZoom, attributes }: Drawing): void {
  mixer.add(layerIndex.get(layer)!);
  mixer.add(minZoom);
  mixer.add(maxZoom ?? -1);
  for (const { key, value, fromZoom } of attributes) {
    mixer.text(key);
    mixer.text(`${typeof value} ${value}`);
    mixer.add(fromZoom);
  }
}

export function mixShape(mixer: ContentMixer, shape: Shape): void {
  switch (shape.type) {
    case 'point':
      mixer.numbers(shape.at);
      return;
    case 'line':
      mixer.numbers(shape.line);
      return;
    case 'area':
      for (const rings of shape.polygons) for (const ring of rings) mixer.numbers(ring);
  }
}
