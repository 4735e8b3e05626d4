import { useState } from 'preact/hooks';
import { type VehicleMeasure, vehicleBounds } from '#schemas/http/vehicle-bounds.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import * as messages from './messages.js';

const measures = Object.keys(vehicleBounds) as VehicleMeasure[];

/** What the truck measures; a figure that is out of bounds is refused below its field and not asked for. */
export function TruckFields() {
  return (
    <details class="truck">
      <summary>{messages.truck}</summary>
      <p class="muted">{messages.truckHint}</p>
      <div class="truck-fields">
        {measures.map((name) => (
          <TruckField key={name} name={name} />
        ))}
      </div>
    </details>
  );
}

function TruckField({ name }: { readonly name: VehicleMeasure }) {
  const value = usePart((state) => state.truck[name]);
  const [refused, setRefused] = useState(false);
  const { minimum, maximum } = vehicleBounds[name];
  const take = ({ value: entered, valueAsNumber: figure, validity }: HTMLInputElement): void => {
    const isBad = validity.badInput || (entered !== '' && (figure < minimum || figure > maximum));
    setRefused(isBad);
    if (isBad) return;
    const { [name]: _, ...others } = app.get().truck;
    app.set({ truck: entered === '' ? others : { ...others, [name]: figure } });
  };
  return (
    <label class="truck-field">
      <span>{messages.truckFields[name]}</span>
      <input
        type="number"
        inputmode="decimal"
        step="any"
        min={minimum}
        max={maximum}
        defaultValue={value}
        aria-invalid={refused}
        onChange={(event) => take(event.currentTarget)}
      />
      {refused && (
        <span class="bad" role="alert">
          {messages.between(minimum, maximum)}
        </span>
      )}
    </label>
  );
}
