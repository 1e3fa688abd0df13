// The form of settings: what a run will be.
import {one, textOf} from './dom';

type Group = Record<string, unknown>;
export const all = () => cadem.settings();
export const text = () => JSON.stringify(all());
/** Whatever a file that is refused must not change. */
export const everything = () => text() + location.hash + textOf('#data-summary');
export const data = (is: string) => all().data === is;
export const preset = (is: string) => all().preset === is;
export const method = (is: string) => all().method === is;
export const seed = (n: number) => all().seeds.model_seed === n;
export const option = (name: string, value: unknown) => all().options[name] === value;
export const dataOption = (name: string, value: unknown) => all().dataOptions[name] === value;
export const epochs = (n: number) => all().values.options.epochs === n;
export const blocks = (is: string) => all().values.dataOptions.blocks === is;
export const endless = () => option('epochs', 100000) && option('early_stop', 'off');
export const place = (name: string) => all().view.place === name;
export const layersAs = (is: string) => all().view.layers === is;
export const selected = () => all().view.select;
export const field = (id: string) => one('#' + id).value;

/** What differs from wanted values, in the settings or in the form. */
export function unlike(wants: {Field: string, Name: string, Value: unknown}[]) {
  const values: Record<string, Group> = all().values;
  return wants.filter(({Field, Name, Value}) => values[Field]?.[Name] !== Value || field(Field + '-' + Name) !== String(Value)).map(({Field, Name, Value}) =>
    Name + ': ' + Value + ' became ' + values[Field]?.[Name] + ', in the form ' + field(Field + '-' + Name));
}
